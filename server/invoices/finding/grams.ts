import { foldCase } from '../../lib/typed-text.ts';

/** The invoices of a new block. */
export const BLOCK_SIZE = 4_096;
/** A whole block is merged of so many: two bytes name a place in it. */
export const MERGED_BLOCKS = 16;
/** The bytes of an invoice's id in a block. */
export const ID_BYTES = 40;
const GRAM_CHARACTERS = 3;
// Numbers and references have tens of thousands of kinds of three characters. As 4,096 they cost a
// row for each invoice at most; a wrong match is sorted out by the text itself.
export const GRAM_KINDS = 4_096;
const PLACE_BYTES = 2;

/** Each character of a text counts as one UTF-16 unit. */
function gramAt(text: string, at: number): number {
  let hash = 0;
  for (let i = at; i < at + GRAM_CHARACTERS; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x9e3779b1);
    hash ^= hash >>> 15;
  }
  return hash & (GRAM_KINDS - 1);
}

/** The kinds of three characters in a row that a folded text has, each once. */
export function gramsOf(folded: string): Set<number> {
  const grams = new Set<number>();
  for (let at = 0; at + GRAM_CHARACTERS <= folded.length; at++) grams.add(gramAt(folded, at));
  return grams;
}

/** The texts of an invoice that are searched, folded: each on a line of its own. */
export function searchedText(invoice: {
  id: string;
  description: string;
  merchantTransactionId: string;
}): { texts: string; id: string } {
  const texts = `${invoice.description}\n${invoice.merchantTransactionId}`;
  // Folding costs thirty times as much, and changes nothing else in such a text.
  const isPlain = /^[\x20-\x5f\x61-\x7e\n]*$/.test(texts);
  return { texts: isPlain ? texts.toLowerCase() : foldCase(texts), id: invoice.id };
}

const bitmapBytes = (size: number): number => size / 8;

function setBits(bits: Uint8Array, places: Iterable<number>): void {
  for (const place of places) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
}

function placesOfBits(bits: Uint8Array): number[] {
  const places: number[] = [];
  for (let byte = 0; byte < bits.length; byte++) {
    for (let rest = bits[byte] ?? 0; rest > 0; rest &= rest - 1) {
      places.push(byte * 8 + 31 - Math.clz32(rest & -rest));
    }
  }
  return places;
}

/**
 * Writes places of a block, in ascending order, in as few bytes as may be: two for each, or one bit
 * for each place of the block.
 *
 * @param size the block's invoices
 */
export function packPlaces(places: readonly number[], size: number): Buffer {
  if (places.length * PLACE_BYTES < bitmapBytes(size)) {
    const packed = Buffer.alloc(places.length * PLACE_BYTES);
    places.forEach((place, at) => {
      packed.writeUInt16BE(place, at * PLACE_BYTES);
    });
    return packed;
  }
  const bits = Buffer.alloc(bitmapBytes(size));
  setBits(bits, places);
  return bits;
}

/** The places that `packPlaces` wrote, in ascending order. */
export function unpackPlaces(packed: Buffer, size: number): number[] {
  if (packed.length === bitmapBytes(size)) return placesOfBits(packed);
  const places: number[] = [];
  for (let at = 0; at < packed.length; at += PLACE_BYTES) places.push(packed.readUInt16BE(at));
  return places;
}

/** A block's places as bits, 32 in a word. */
function wordsOf(packed: Buffer, size: number): Uint32Array {
  const words = new Uint32Array(bitmapBytes(size) / Uint32Array.BYTES_PER_ELEMENT);
  const bits = new Uint8Array(words.buffer);
  if (packed.length === bits.length) bits.set(packed);
  else setBits(bits, unpackPlaces(packed, size));
  return words;
}

/** The places that all have in common, in descending order. */
export function commonPlaces(packed: readonly Buffer[], size: number): number[] {
  const [common, ...others] = packed.map((each) => wordsOf(each, size));
  if (!common) return [];
  for (const words of others) {
    for (let at = 0; at < common.length; at++) common[at] = (common[at] ?? 0) & (words[at] ?? 0);
  }
  return placesOfBits(new Uint8Array(common.buffer)).reverse();
}
