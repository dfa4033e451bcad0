import { qrCode } from '#server/lib/qr-code.ts';
import { pageAddress } from '../loader.ts';

function svgOf(text: string): string {
  const { path, side } = qrCode(text);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`;
}

/** The QR code of an invoice's page; it does not reveal whether the invoice exists. */
export async function GET(
  _request: Request,
  { params }: { params: Promise<{ invoiceId: string }> },
): Promise<Response> {
  const address = pageAddress((await params).invoiceId);
  if (address === null) return new Response(null, { status: 404 });
  return new Response(svgOf(address), {
    headers: {
      'Content-Type': 'image/svg+xml',
      'Cache-Control': 'private, max-age=86400, immutable',
    },
  });
}
