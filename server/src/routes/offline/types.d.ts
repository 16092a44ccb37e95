// The types of the three scripts. `tsc` checks them by their comments; nothing is compiled.

/** What the server writes in front of a worker. */
declare global {
  const PORTICO: {
    /** Tells this program from others. */
    version: string;
    /** Path prefix of the dashboard without a trailing slash. */
    base: string;
    /** The program's files whose names change with their content, below the prefix. */
    files: string[];
  };
}

/** Whose copies there are. Times are milliseconds since 1970. */
export interface Session {
  key: string;
  /** When the server said so. */
  told: number;
  /** When the login ends; null for never. */
  until: number | null;
  /** Whether it ends when the browser is closed. */
  whileOpen: boolean;
}

/** A copy. */
export interface Kept {
  cache: Cache;
  request: Request;
  at: number;
  bytes: number;
}

/** Tells the browser which requests need not wait for the worker: static routing of the service worker specification. */
export type AddRoutes = (rules: { condition: Record<string, string>; source: string }[]) => Promise<void>;

/** What pages tell the worker. */
export type Message =
  | { type: 'version' }
  | { type: 'keep'; path: string | null; at: number; files: string[] }
  | { type: 'remove' }
  | { type: 'wipe' }
  | { type: 'sign out' }
  | { type: 'take over'; asked: boolean };

/** What browsers offer to install a page, as Chromium has it. */
export interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}
