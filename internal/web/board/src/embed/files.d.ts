// What internal/web/bundle gives the bundler.

declare module 'board.css' {
  const text: string
  export default text
}
declare module 'sprite.svg' {
  const text: string
  export default text
}
