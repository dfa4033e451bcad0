import { create, toBuffer } from 'qrcode';

/** White modules around the code, as ISO/IEC 18004 demands. */
const QUIET = 4;

/** A QR code as the path of a square SVG; `side` is its side in units, margin included. */
export type QrCode = { path: string; side: number };

const LEVEL = { errorCorrectionLevel: 'M' } as const;
/** The side of a picture in pixels: sharp on a sheet of paper. */
const PICTURE_PX = 1_024;

/** Draws a text as a QR code. */
export function qrCode(text: string): QrCode {
  const { modules } = create(text, LEVEL);
  let path = '';
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  return { path, side: modules.size + 2 * QUIET };
}

/** The same as a PNG file. */
export async function qrPicture(text: string): Promise<Buffer> {
  return await toBuffer(text, { ...LEVEL, type: 'png', width: PICTURE_PX, margin: QUIET });
}
