import { z } from 'zod';
import { CALLBACK_STATES } from '../../callbacks/types.ts';
import { listInvoices } from '../../invoices/list.ts';
import { INVOICE_STATUSES } from '../../invoices/types.ts';
import { CURRENCIES } from '../../lib/money.ts';
import { router, staffProcedure } from '../init.ts';

const MAX_MS = 8_640_000_000_000_000;
const instantMs = z.int().min(0).max(MAX_MS).nullable().default(null);
const amountMinor = z.int().min(0).nullable().default(null);

const filters = z.object({
  statuses: z.array(z.enum(INVOICE_STATUSES)).max(4).default([]),
  currency: z.enum(CURRENCIES).nullable().default(null),
  minAmountMinor: amountMinor,
  maxAmountMinor: amountMinor,
  fromMs: instantMs,
  untilMs: instantMs,
  callbackState: z.enum(CALLBACK_STATES).nullable().default(null),
  search: z.string().max(255).default(''),
});

const list = z.object({
  filters: filters.prefault({}),
  cursor: z.string().max(255).nullable().default(null),
  limit: z.int().min(1).max(200).default(50),
});

const toBigInt = (value: number | null): bigint | null => (value === null ? null : BigInt(value));

export const invoicesRouter = router({
  /** A page of the list; `nextCursor` leads to the one after it. */
  list: staffProcedure('invoice.read')
    .input(list)
    .query(({ ctx, input }) =>
      listInvoices(ctx.db, ctx.tenant, {
        ...input,
        filters: {
          ...input.filters,
          minAmountMinor: toBigInt(input.filters.minAmountMinor),
          maxAmountMinor: toBigInt(input.filters.maxAmountMinor),
        },
      }),
    ),
});
