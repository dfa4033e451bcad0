import type { AccountFault } from '../../../merchants/account-faults.ts';
import type { OpenAccount } from '../../../merchants/acquirer-accounts.ts';
import { type AcquirerReply, callAcquirer } from '../acquirer-client.ts';
import { merchantApiAuth } from './protocol.ts';

type Asked = { account: OpenAccount; apiUrl: string; paymentNumber: string; now: Date };

async function ask(
  { account, apiUrl, paymentNumber, now }: Asked,
  { operation, method }: { operation: 'status' | 'reversal'; method: 'GET' | 'DELETE' },
): Promise<AcquirerReply> {
  const { merchant_user_id: userId = '', secret_key: key = '' } = account.credentials;
  const { service_id: serviceId = '' } = account.credentials;
  return await callAcquirer({
    account,
    operation,
    method,
    url: `${apiUrl}/payment/${operation}/${serviceId}/${paymentNumber}`,
    headers: { Auth: merchantApiAuth(userId, key, now) },
  });
}

type Answer = { error_code?: number; error_note?: string; payment_status?: number };

/**
 * The result of a payment at Click: a negative status is no payment, 2 and (in Click's own sample)
 * 1 with error 0 is one. Any other answer leaves it open.
 */
export async function askPaymentStatus(asked: Asked): Promise<'paid' | 'failed' | 'open'> {
  const { status, json } = await ask(asked, { operation: 'status', method: 'GET' });
  const { error_code: error, payment_status: payment } = (json ?? {}) as Answer;
  if (status !== 200 || error !== 0 || typeof payment !== 'number') return 'open';
  if (payment < 0) return 'failed';
  return payment > 0 ? 'paid' : 'open';
}

/**
 * Gives the whole of a payment back.
 *
 * @returns why Click did not, in its words; null when it did
 * @throws Error when it is open whether Click did
 */
export async function askReversal(asked: Asked): Promise<string | null> {
  const { status, json } = await ask(asked, { operation: 'reversal', method: 'DELETE' });
  const { error_code: error, error_note: note } = (json ?? {}) as Answer;
  if (status >= 500 || typeof error !== 'number') {
    throw new Error(`click answered the reversal of ${asked.paymentNumber} by ${status}`);
  }
  return error === 0 ? null : `${note ?? 'Click'} (${error})`;
}

/** Gives the whole of a payment back. @throws Error unless Click says that it did */
export async function reversePayment(asked: Asked): Promise<void> {
  const refusal = await askReversal(asked);
  if (refusal !== null) throw new Error(`click did not reverse ${asked.paymentNumber}: ${refusal}`);
}

/** Why the Merchant API refuses an account; null when it does not. */
export async function checkMerchantApi(
  asked: Omit<Asked, 'paymentNumber'>,
): Promise<AccountFault | null> {
  const whole = { ...asked, paymentNumber: '0' };
  const { status, json } = await ask(whole, { operation: 'status', method: 'GET' });
  const detail = String(status);
  if (status === 401 || status === 403) return { code: 'credentials_refused', detail };
  if (json === undefined || status >= 500) return { code: 'unexpected_answer', detail };
  return null;
}
