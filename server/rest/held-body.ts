/**
 * Of all requests of a process that have no answer yet: of those that are slow to send, and of those
 * that wait for the database. Parsed, and with its answer, a body takes about three times as much.
 */
const MOST_BYTES = 32 * 1024 * 1024;
/** Nearly every body is smaller, and is taken however much the others hold. */
const SMALL_BYTES = 16 * 1024;
/** What a chunk takes beside its bytes: a body may come in chunks of one. */
const CHUNK_BYTES = 512;

/** The bytes of all bodies that a handler holds. */
export type HeldBytes = { bytes: number };

/** What the body of one request takes, until it is answered. */
export class HeldBody {
  private readonly all: HeldBytes;
  private bytes = 0;

  constructor(all: HeldBytes) {
    this.all = all;
  }

  /** Counts a chunk that is to be kept; false when there is no room for it. */
  take(chunkBytes: number): boolean {
    const more = chunkBytes + CHUNK_BYTES;
    if (this.bytes + more > SMALL_BYTES && this.all.bytes + more > MOST_BYTES) return false;
    this.bytes += more;
    this.all.bytes += more;
    return true;
  }

  release(): void {
    this.all.bytes -= this.bytes;
    this.bytes = 0;
  }
}
