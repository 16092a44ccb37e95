// The types of these scripts. `tsc` checks the types in their comments; nothing is compiled.

/** The settings that the server puts in front of a worker. */
declare global {
  const PORTICO: {
    /** Identifies this version of the program. */
    version: string;
    /** Path prefix of the dashboard without a trailing slash. */
    base: string;
    /** The program's files with a hash in their names, below the prefix. */
    files: string[];
  };
}

/** The session to which the copies belong. Times are milliseconds since 1970. */
export interface Session {
  key: string;
  /** When the server last confirmed it. */
  confirmed: number;
  /** When it ends; null for never. */
  until: number | null;
  /** Whether it ends when the browser is closed. */
  whileOpen: boolean;
}

/** A copy. */
export interface StoredCopy {
  cache: Cache;
  request: Request;
  at: number;
  bytes: number;
}

/** Declares which requests need not wait for the worker: static routing of the service worker specification. */
export type AddRoutes = (rules: { condition: Record<string, string>; source: string }[]) => Promise<void>;

/** What the worker needs to speak the language of a page. */
export interface PageWords {
  lang: string;
  dir: string;
  /** The texts of the page by their English ones. Those with a number are objects. */
  texts: Record<string, any>;
}

/** The messages from pages to the worker. */
export type Message =
  | { type: 'version' }
  | { type: 'keep'; path: string | null; at: number; files: string[]; words?: PageWords }
  | { type: 'remove' }
  | { type: 'wipe' }
  | { type: 'sign out' }
  | { type: 'take over'; requested: boolean };

/** The event with which Chromium offers to install a page. */
export interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}
