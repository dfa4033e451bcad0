import { qrAnswer } from '#app/_ui/qr-answer.ts';
import { linkAddress } from '../loader.ts';

/** The QR code of a link's page; it does not reveal whether the link exists. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ code: string }> },
): Promise<Response> {
  const { code } = await params;
  const address = linkAddress(code);
  if (address === null) return new Response(null, { status: 404 });
  return await qrAnswer(request, address, `link-${code}`);
}
