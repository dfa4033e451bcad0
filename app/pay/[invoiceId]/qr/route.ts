import { qrAnswer } from '#app/_ui/qr-answer.ts';
import { pageAddress } from '../loader.ts';

/** The QR code of an invoice's page; it does not reveal whether the invoice exists. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ invoiceId: string }> },
): Promise<Response> {
  const { invoiceId } = await params;
  const address = pageAddress(invoiceId);
  if (address === null) return new Response(null, { status: 404 });
  return await qrAnswer(request, address, invoiceId);
}
