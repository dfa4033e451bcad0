import { create } from 'qrcode';

/** Modules of white around the code, as ISO/IEC 18004 demands. */
const QUIET = 4;

/** A QR code as the path of a square SVG whose sides are so many units long, its margin included. */
export type QrCode = { path: string; side: number };

/** Draws a text as a QR code. */
export function qrCode(text: string): QrCode {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  return { path, side: modules.size + 2 * QUIET };
}
