import { qrCode, qrPicture } from '#server/lib/qr-code.ts';
import { pageAddress } from '../loader.ts';

function svgOf(text: string): string {
  const { path, side } = qrCode(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`;
}

/**
 * The QR code of an invoice's page; it does not reveal whether the invoice exists. With `save=svg`
 * or `save=png` it is a file to save.
 */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ invoiceId: string }> },
): Promise<Response> {
  const { invoiceId } = await params;
  const address = pageAddress(invoiceId);
  if (address === null) return new Response(null, { status: 404 });
  const save = new URL(request.url).searchParams.get('save');
  const isPng = save === 'png';
  const headers = new Headers({
    'Content-Type': isPng ? 'image/png' : 'image/svg+xml',
    'Cache-Control': 'private, max-age=86400, immutable',
  });
  if (save !== null) {
    const name = `${invoiceId}.${isPng ? 'png' : 'svg'}`;
    headers.set('Content-Disposition', `attachment; filename="${name}"`);
  }
  const body = isPng ? new Uint8Array(await qrPicture(address)) : svgOf(address);
  return new Response(body, { headers });
}
