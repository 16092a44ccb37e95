/** A text file, which the build puts into the script that imports it. */
declare module '*.yml' {
  const text: string
  export default text
}
