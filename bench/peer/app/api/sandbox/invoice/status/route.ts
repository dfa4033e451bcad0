import { STATUS_CODES } from '../../../../../../../server/invoices/types.ts';
import { isAuthorised, peer } from '../../../../../database.ts';

export async function GET(request: Request): Promise<Response> {
  const current = peer();
  if (!isAuthorised(request, current)) return Response.json({}, { status: 401 });
  const id = new URL(request.url).searchParams.get('invoice_id');
  if (!id) return Response.json({}, { status: 422 });
  const invoice = await current.prisma.invoice.findFirst({
    where: { id, merchantId: current.merchantId, environment: 'sandbox' },
    select: { id: true, status: true, endDate: true },
  });
  if (!invoice) return Response.json({}, { status: 404 });
  const data = {
    invoice_id: invoice.id,
    status: STATUS_CODES[invoice.status],
    end_date: invoice.endDate.getTime(),
  };
  return Response.json({ result: true, data, error: null });
}
