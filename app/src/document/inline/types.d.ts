// The types of the inline scripts. `tsc` checks the types in their comments; nothing is compiled.

declare global {
  interface Window {
    /** Settles with the first paint, or after two seconds. */
    porticoPainted: Promise<void>;
  }
}

/** The element of the page's settings, with what scripts find there. */
export interface Settings extends HTMLElement {
  /** The last errors. */
  errors: string[];
  /** The texts of the page's language by the English ones; none for English. */
  texts: Record<string, string>;
  /** The event with which the browser offers to install the page. */
  install?: Event;
  /** Follows the heights of sections in a masonry layout; the bundle puts it here. */
  sizes?: ResizeObserver;
}
