// Shows a page of text in the theme, and the start page in the language, that were chosen on a board (board/src/shared/prefs.ts), before the page
// is drawn. Without a choice they follow the browser. The links between the languages of the start page are a choice too.
try {
  const root = document.documentElement;
  const theme = localStorage.getItem('roem.theme');
  if (theme === 'light' || theme === 'dark') root.dataset.theme = theme;
  // The dark theme of Swagger UI is a class.
  const dark = theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.classList.toggle('dark-mode', dark);
  if ('start' in root.dataset) {
    const chosen = new URLSearchParams(location.search).get('language');
    const other = root.dataset.start; // of a site of files: the page in the other language
    if (chosen === 'en' || chosen === 'nl') localStorage.setItem('roem.language', chosen);
    if (other || chosen !== 'en' && chosen !== 'nl') {
      const language = localStorage.getItem('roem.language') ?? (other && (navigator.language.toLowerCase().startsWith('nl') ? 'nl' : 'en'));
      if ((language === 'en' || language === 'nl') && language !== root.lang) location.replace(other || '?language=' + language);
    }
  }
} catch {
  // The browser keeps nothing for this page.
}
