export type ProcessLock =
  | { taken: true; release: () => void }
  | { taken: false; holderPid: number };

/**
 * Takes a lock: a file that holds its holder's process id. The lock ends with the process. A dead
 * process's file (kill -9, power cut) does not count, nor does one in a copy of the folder.
 *
 * @throws Error when the folder is not writable
 */
export function takeLock(path: string): ProcessLock;

/** The lock on DATA_DIR that a gateway of `npm start` holds as long as it runs. */
export function gatewayLock(dataDir: string): string;

/** The process that holds such a lock, or null; takes and writes nothing. */
export function lockHolder(path: string): number | null;
