import { create } from 'qrcode';
import { pageAddress } from '../loader.ts';

/** Modules of white around the code, as ISO/IEC 18004 demands. */
const QUIET = 4;

function svgOf(text: string): string {
  const { modules } = create(text, { errorCorrectionLevel: 'M' });
  let path = '';
  for (let row = 0; row < modules.size; row++) {
    for (let column = 0; column < modules.size; column++) {
      if (modules.get(row, column)) path += `M${column + QUIET} ${row + QUIET}h1v1h-1z`;
    }
  }
  const side = modules.size + 2 * QUIET;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${side}v${side}H0z"/><path d="${path}"/></svg>`;
}

/** The QR code of an invoice's page; says nothing of whether there is such an invoice. */
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
