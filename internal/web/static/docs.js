// Starts the API documentation. In a file of its own because the page allows no inline scripts. The page names the contract; it is the YAML, which
// keeps the order in which the contract was written.
window.addEventListener('load', () => {
  window.ui = SwaggerUIBundle({
    url: document.getElementById('swagger-ui').dataset.contract,
    dom_id: '#swagger-ui',
    deepLinking: true,
    validatorUrl: null,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    docExpansion: 'list',
  });
});
