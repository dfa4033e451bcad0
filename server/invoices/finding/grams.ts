import { foldCase } from '../../lib/typed-text.ts';

/** The invoices of one block. */
export const BLOCK_SIZE = 4_096;
const GRAM_CHARACTERS = 3;
// Numbers and references have tens of thousands of kinds of three characters. As 4,096 they cost a
// row for each invoice at most; a wrong match is sorted out by the text itself.
const GRAM_KINDS = 4_096;
const BITMAP_BYTES = BLOCK_SIZE / 8;
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

/** Writes places of a block, in ascending order, in as few bytes as may be. */
export function packPlaces(places: readonly number[]): Buffer {
  if (places.length * PLACE_BYTES < BITMAP_BYTES) {
    const packed = Buffer.alloc(places.length * PLACE_BYTES);
    places.forEach((place, at) => {
      packed.writeUInt16BE(place, at * PLACE_BYTES);
    });
    return packed;
  }
  const bits = Buffer.alloc(BITMAP_BYTES);
  for (const place of places) bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  return bits;
}

function bitsOf(packed: Buffer): Uint8Array {
  if (packed.length === BITMAP_BYTES) return packed;
  const bits = new Uint8Array(BITMAP_BYTES);
  for (let at = 0; at < packed.length; at += PLACE_BYTES) {
    const place = packed.readUInt16BE(at);
    bits[place >> 3] = (bits[place >> 3] ?? 0) | (1 << (place & 7));
  }
  return bits;
}

/** The places that all have in common, in descending order. */
export function commonPlaces(packed: readonly Buffer[]): number[] {
  const all = packed.map(bitsOf);
  const places: number[] = [];
  for (let byte = BITMAP_BYTES - 1; byte >= 0; byte--) {
    const common = all.reduce((bits, each) => bits & (each[byte] ?? 0), 0xff);
    for (let bit = 7; common !== 0 && bit >= 0; bit--) {
      if ((common >> bit) & 1) places.push(byte * 8 + bit);
    }
  }
  return places;
}
