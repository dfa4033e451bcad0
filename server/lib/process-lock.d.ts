export type ProcessLock =
  | { taken: true; release: () => void }
  | { taken: false; holderPid: number };

/**
 * Takes a lock that is a file with the holder's process id in it. It ends with the process: the
 * file of a dead one (kill -9, power cut) counts for nothing, nor does one in a copy of the folder.
 *
 * @throws Error when the folder cannot be written to.
 */
export function takeLock(path: string): ProcessLock;

/** The lock that a gateway of `npm start` holds on its DATA_DIR for as long as it runs. */
export function gatewayLock(dataDir: string): string;

/** The process that holds such a lock, or null; takes nothing and writes nothing. */
export function lockHolder(path: string): number | null;
