import { newId } from '../../../../../../../server/lib/ids.ts';
import { parseCreateRequest } from '../../../../../../../server/wire/create-request.ts';
import { isAuthorised, peer } from '../../../../../database.ts';

/** Prisma's code for a unique violation. */
const isDuplicate = (error: unknown): boolean => (error as { code?: string }).code === 'P2002';

export async function POST(request: Request): Promise<Response> {
  const current = peer();
  const bytes = new Uint8Array(await request.arrayBuffer());
  if (!isAuthorised(request, current)) return Response.json({}, { status: 401 });
  const now = new Date();
  const contentType = request.headers.get('content-type');
  const parsed = parseCreateRequest(bytes, contentType, now.getTime());
  if (!parsed.ok) return Response.json({ detail: parsed.detail }, { status: 422 });
  const { positions, amountMinor, endDateMs, ...fields } = parsed.value;
  const id = newId('inv', now.getTime());
  try {
    await current.prisma.invoice.create({
      data: {
        ...fields,
        id,
        merchantId: current.merchantId,
        environment: 'sandbox',
        amountMinor: BigInt(amountMinor),
        positions: JSON.stringify(
          positions.map(({ title, amountMinor: amount, currency }) => ({
            title,
            amount,
            currency,
          })),
        ),
        endDate: new Date(endDateMs),
        createdAt: now,
        statusChangedAt: now,
      },
    });
  } catch (error) {
    if (isDuplicate(error)) return Response.json({}, { status: 409 });
    throw error;
  }
  const data = {
    invoice_id: id,
    invoice_url: `http://localhost/pay/${id}`,
    success_url: fields.successUrl,
    error_url: fields.errorUrl,
    status: 1,
    amount: amountMinor,
    currency: fields.currency,
    description: fields.description,
    merchant_transaction_id: fields.merchantTransactionId,
    merchant_data: fields.merchantData === null ? null : JSON.parse(fields.merchantData),
    end_date: endDateMs,
    created_at: now.getTime(),
  };
  return Response.json({ result: true, data, error: null });
}
