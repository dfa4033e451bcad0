import { addressKey } from '../lib/address-key.ts';
import { processWide } from '../lib/process-wide.ts';

/**
 * Of all requests of a process that have no answer yet: of those that are slow to send, and of those
 * that wait for the database. Parsed, and with its answer, a body takes about three times as much.
 */
const MOST_BYTES = 32 * 1024 * 1024;
/**
 * Of those from one network address. A quarter: whatever one address does, three are left to the
 * others, and it is room for 33 of the largest bodies at once, of a merchant whose servers share it.
 */
const MOST_OF_ADDRESS_BYTES = MOST_BYTES / 4;
/**
 * Nearly every body is smaller, and is taken however much the others hold. So much of each counts
 * nowhere, or one address could fill all the room with small ones.
 */
const SMALL_BYTES = 16 * 1024;
/** What a chunk takes beside its bytes: a body may come in chunks of one. */
const CHUNK_BYTES = 512;

/** The bytes of bodies that are held, in all and by network address. */
export class HeldBytes {
  private all = 0;
  private readonly ofAddress = new Map<string, number>();

  /** Counts bytes of an address; false, and nothing is counted, when there is no room for them. */
  take(address: string, bytes: number): boolean {
    const held = (this.ofAddress.get(address) ?? 0) + bytes;
    if (this.all + bytes > MOST_BYTES || held > MOST_OF_ADDRESS_BYTES) return false;
    this.all += bytes;
    this.ofAddress.set(address, held);
    return true;
  }

  /** Counts them no more. */
  give(address: string, bytes: number): void {
    const held = (this.ofAddress.get(address) ?? 0) - bytes;
    this.all -= bytes;
    if (held > 0) this.ofAddress.set(address, held);
    else this.ofAddress.delete(address);
  }
}

/** What the body of one request takes, until it is answered. */
export class HeldBody {
  private readonly held: HeldBytes;
  private readonly remoteAddress: string;
  private bytes = 0;
  private counted = 0;

  /** @param remoteAddress of the caller, as far as the transport can vouch for it */
  constructor(held: HeldBytes, remoteAddress: string) {
    this.held = held;
    this.remoteAddress = remoteAddress;
  }

  /** Counts a chunk that is to be kept; false when there is no room for it. */
  take(chunkBytes: number): boolean {
    const bytes = this.bytes + chunkBytes + CHUNK_BYTES;
    const more = Math.max(0, bytes - SMALL_BYTES) - this.counted;
    if (more > 0 && !this.held.take(addressKey(this.remoteAddress), more)) return false;
    this.bytes = bytes;
    this.counted += more;
    return true;
  }

  release(): void {
    if (this.counted > 0) this.held.give(addressKey(this.remoteAddress), this.counted);
    this.bytes = 0;
    this.counted = 0;
  }
}

const calls = processWide('held-calls', () => new HeldBytes());

/**
 * What the body of a call takes that Next hands on while it comes, before anybody knows who sends
 * it: of the dashboard's procedures and of Inngest's runs, which share one room.
 *
 * @param remoteAddress of the caller, as far as the transport can vouch for it
 */
export function heldCall(remoteAddress: string): HeldBody {
  return new HeldBody(calls, remoteAddress);
}
