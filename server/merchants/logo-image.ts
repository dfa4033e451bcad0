import { MAX_LOGO_BYTES } from './types.ts';

/** The picture formats of a logo. */
export type LogoType = 'image/png' | 'image/webp';

const MAX_SIDE = 512;

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const PNG_END = Buffer.from([0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]);

type Size = { width: number; height: number };

function pngSize(bytes: Buffer): Size | null {
  const isWhole =
    bytes.length > 45 &&
    bytes.subarray(0, 8).equals(PNG_START) &&
    bytes.toString('latin1', 12, 16) === 'IHDR' &&
    // Nothing may follow the picture: other data in a file never belongs to it.
    bytes.subarray(-8).equals(PNG_END);
  return isWhole ? { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) } : null;
}

/** RFC 9649: each of the three kinds of first chunk has its own place for the size. */
function webpSize(bytes: Buffer): Size | null {
  const isWhole =
    bytes.length > 30 &&
    bytes.toString('latin1', 0, 4) === 'RIFF' &&
    bytes.toString('latin1', 8, 12) === 'WEBP' &&
    bytes.readUInt32LE(4) + 8 === bytes.length;
  if (!isWhole) return null;
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return null;
  }
}

/**
 * Finds the picture's format from its bytes alone: a PNG or a WebP of at most 40 KiB and 512 pixels
 * a side. SVG is refused, because it can carry scripts and links.
 *
 * @returns null for anything else
 */
export function logoType(bytes: Buffer): LogoType | null {
  if (bytes.length > MAX_LOGO_BYTES) return null;
  const png = pngSize(bytes);
  const size = png ?? webpSize(bytes);
  if (!size) return null;
  const isFit = [size.width, size.height].every((side) => side >= 1 && side <= MAX_SIDE);
  if (!isFit) return null;
  return png ? 'image/png' : 'image/webp';
}
