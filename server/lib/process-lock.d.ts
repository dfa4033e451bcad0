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
