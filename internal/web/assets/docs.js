// Starts the API documentation. In a file of its own because the page allows no inline scripts. It reads the YAML, which
// keeps the order in which the contract was written.
window.addEventListener('load', () => {
  window.ui = SwaggerUIBundle({
    url: '/openapi.yaml',
    dom_id: '#swagger-ui',
    deepLinking: true,
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
  });
});
