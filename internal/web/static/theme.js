// Shows a page of text in the theme that was chosen on a board (board/src/shared/prefs.ts), before the page is drawn. Without a choice the style
// sheet follows the system.
try {
  const chosen = localStorage.getItem('roem.theme');
  if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.theme = chosen;
} catch {
  // The browser keeps nothing for this page.
}
