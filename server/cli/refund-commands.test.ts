import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { grantTenant } from '../merchants/tenant.ts';
import { connectMulticard } from '../testing/acquirers/multicard-account.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database/database.ts';
import { createMerchantFixture } from '../testing/factories.ts';
import { COMMAND_NOW, runCommand } from '../testing/gateway-command.ts';
import { createPaidInvoice } from '../testing/refunds.ts';
import { refundCommands } from './refund-commands.ts';

let database: TestDatabase;
let merchantId: string;
beforeAll(async () => {
  database = await createTestDatabase();
  merchantId = (await createMerchantFixture(database.pool)).id;
});
afterAll(() => database.drop());

const run = (...args: string[]) => runCommand(refundCommands, args, database);
const paid = () =>
  createPaidInvoice(database.pool, grantTenant(merchantId, 'sandbox'), { now: COMMAND_NOW });

it('an invoice is refunded in parts, which are listed and stand in the audit log', async () => {
  const invoiceId = await paid();
  const options = [
    '--transaction-id',
    'r-1',
    '--amount',
    '400',
    '--reason',
    'One \u001b[31mticket',
  ];
  const made = JSON.parse(await run('create', invoiceId, ...options, '--json'));
  expect(made).toMatchObject({ invoice_id: invoiceId, amount: 400, status: 2 });
  const rest = await run('create', invoiceId, '--transaction-id', 'r-2');
  expect(rest).toMatch(/^Refund ref_\w+ of 11\.00 USD is SUCCEEDED$/);
  const listed = JSON.parse(await run('list', invoiceId, '--json'));
  expect(listed).toMatchObject({
    refunds: [made, { amount: 1100 }],
    refunded_amount: 1500,
    refundable_amount: 0,
  });
  const text = await run('list', invoiceId);
  expect(text).toContain('Left: 0.00 USD');
  expect(text).not.toContain('\u001b');
  const { rows } = await database.pool.query(
    `SELECT details->>'refund' AS id FROM audit_log WHERE action = 'refund.create' AND target_id = $1
     ORDER BY audit_log.id LIMIT 1`,
    [invoiceId],
  );
  expect(rows).toEqual([{ id: made.refund_id }]);
});

it('what cannot be refunded is refused in words, and nothing is logged', async () => {
  const invoiceId = await paid();
  const refused: [string[], string][] = [
    [[invoiceId, '--transaction-id', 'a', '--amount', '1501'], 'refundable amount: 1500'],
    [
      [invoiceId, '--transaction-id', 'a', '--amount', '0'],
      'amount: Input should be greater than 0',
    ],
    [[invoiceId, '--transaction-id', 'a', '--amount', '1.5'], 'amount: Input should be a valid'],
    [[invoiceId, '--transaction-id', ''], 'refund_transaction_id: String should have'],
    [['inv_x', '--transaction-id', 'a'], 'There is no invoice inv_x'],
    [[invoiceId], '--transaction-id'],
  ];
  for (const [args, text] of refused) await expect(run('create', ...args)).rejects.toThrow(text);
  await expect(run('list', 'inv_x')).rejects.toThrow('There is no invoice inv_x');
  expect(await run('list', invoiceId)).toBe('Refunded: 0.00 USD\nLeft: 15.00 USD');
});

it('a disputed payment is refunded all the same, after a line of warning', async () => {
  const { pool } = database;
  const invoiceId = await paid();
  const account = await connectMulticard(pool, { merchantId, secret: 'sec' }, COMMAND_NOW);
  await pool.query(
    `INSERT INTO disputes (account_id, id, attempt_id, invoice_id, amount_minor, currency, reason,
       status, created_at, updated_at, closed_at)
     SELECT $1, 'dp_1', id, invoice_id, 1500, 'USD', 'fraudulent', 'needs_response', $2, $2, NULL
     FROM payment_attempts WHERE invoice_id = $3`,
    [account.id, COMMAND_NOW, invoiceId],
  );
  const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const part = ['--amount', '400'];
  expect(await run('create', invoiceId, '--transaction-id', 'd-1', ...part)).toContain('SUCCEEDED');
  expect(said.mock.calls.flat()).toEqual([expect.stringContaining('pays the buyer twice')]);
  await pool.query('UPDATE disputes SET closed_at = $1', [COMMAND_NOW]);
  await run('create', invoiceId, '--transaction-id', 'd-2', ...part);
  expect(said).toHaveBeenCalledTimes(1);
  said.mockRestore();
});
