// The pages that are programs, in the order of the navigation. make generate writes them from web.Navigation.

export const pages = [
  { name: 'klaverjas', path: '/board' },
  { name: 'belote', path: '/belote' },
  { name: 'gin-rummy', path: '/gin-rummy' },
  { name: 'tarok', path: '/tarok' },
  { name: 'puzzles', path: '/puzzles' },
  { name: 'watch', path: '/watch' },
  { name: 'evening', path: '/evening' },
] as const
