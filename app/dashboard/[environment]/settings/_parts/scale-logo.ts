import { MAX_LOGO_BYTES } from '#server/merchants/types.ts';

const SIDES = [192, 128, 96, 64];

function draw(picture: ImageBitmap, side: number): HTMLCanvasElement {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  const context = canvas.getContext('2d');
  if (context) {
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  }
  return canvas;
}

const encode = (canvas: HTMLCanvasElement, type: string): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, type, 0.9));

async function toBase64(blob: Blob): Promise<string> {
  let text = '';
  for (const byte of new Uint8Array(await blob.arrayBuffer())) text += String.fromCharCode(byte);
  return btoa(text);
}

/**
 * Turns a picture of any size into a logo: scaled down and encoded anew, without what a camera put
 * into the file (a place, a name). The server checks the result all the same.
 *
 * @returns PNG or WebP in base64, at most 40 KiB before encoding
 */
export async function scaleLogo(file: File): Promise<string | 'unreadable' | 'too_big'> {
  const picture = await createImageBitmap(file).catch(() => null);
  if (!picture) return 'unreadable';
  for (const side of SIDES) {
    const canvas = draw(picture, side);
    for (const type of ['image/png', 'image/webp']) {
      const blob = await encode(canvas, type);
      if (blob && blob.size <= MAX_LOGO_BYTES) return await toBase64(blob);
    }
  }
  return 'too_big';
}
