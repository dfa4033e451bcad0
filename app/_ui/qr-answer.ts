import { qrCode, qrPicture } from '#server/lib/qr-code.ts';

function svgOf(text: string): string {
  const { path, side } = qrCode(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`;
}

/**
 * Answers with the QR code of an address, for a page or, with `save=svg` or `save=png`, as a file to
 * save.
 *
 * @param name of the file, without its ending
 */
export async function qrAnswer(request: Request, address: string, name: string): Promise<Response> {
  const save = new URL(request.url).searchParams.get('save');
  const isPng = save === 'png';
  const headers = new Headers({
    'Content-Type': isPng ? 'image/png' : 'image/svg+xml',
    'Cache-Control': 'private, max-age=86400, immutable',
  });
  if (save !== null) {
    const file = `${name}.${isPng ? 'png' : 'svg'}`;
    headers.set('Content-Disposition', `attachment; filename="${file}"`);
  }
  const body = isPng ? new Uint8Array(await qrPicture(address)) : svgOf(address);
  return new Response(body, { headers });
}
