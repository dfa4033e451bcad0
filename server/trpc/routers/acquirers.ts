import { z } from 'zod';
import { countTry } from '../../auth/throttle.ts';
import { GatewayError } from '../../lib/errors.ts';
import { type AcquirerAccount, listAccounts } from '../../merchants/acquirer-accounts.ts';
import {
  type AccountChange,
  changeAccount,
  checkAccount,
  checkOwner,
  connectAccount,
  isProven,
  orderAccounts,
} from '../../payments/accounts/accounts.ts';
import { hookUrl } from '../../payments/addresses.ts';
import {
  listDifferences,
  MAX_NOTE_LENGTH,
  settleDifference,
} from '../../payments/books/differences.ts';
import { ACCOUNT_PROVIDERS } from '../../payments/providers/account-providers.ts';
import { accountProviderOf } from '../../payments/providers/registry.ts';
import { router, staffProcedure } from '../init.ts';
import { id, text } from '../inputs.ts';

const one = z.object({ accountId: id });

// Each asks the acquirer, in the merchant's name.
const CHECK_LIMIT = { max: 60, windowMs: 10 * 60 * 1000 };

const DIFFERENCES_SHOWN = 200;

/** An account as its merchant sees it: without what opens it. */
function viewOf({ merchantId: _, environment: __, ...account }: AcquirerAccount) {
  const provider = accountProviderOf(account.provider);
  return {
    ...account,
    title: provider?.traits.title ?? account.provider,
    hookUrl: hookUrl(account),
    isProven: isProven(account),
  };
}

/** The acquirers that can be connected, and what each wants to be told. */
const PROVIDERS = Object.entries(ACCOUNT_PROVIDERS).map(([name, { traits, credentials }]) => ({
  name,
  title: traits.title,
  currencies: traits.currencies,
  refunds: traits.refunds,
  credentials: credentials.map(({ pattern: _, ...field }) => field),
}));

/** The procedure that makes one change of an account. */
const changing = (permission: 'acquirer.manage' | 'acquirer.switch_off', change: AccountChange) =>
  staffProcedure(permission)
    .input(one)
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { accountId } }) => {
      await checkOwner(db, tenant, accountId);
      await changeAccount(db, accountId, change, { actor, now });
    });

export const acquirersRouter = router({
  /**
   * The accounts that are connected in this environment, in the order of the payment page, and the
   * acquirers that can be connected.
   */
  list: staffProcedure('business.read').query(async ({ ctx: { db, tenant } }) => ({
    accounts: (await listAccounts(db, tenant)).map(viewOf),
    providers: PROVIDERS,
  })),

  /** Connects an account, which buyers are offered at once; an empty name is the acquirer's own. */
  connect: staffProcedure('acquirer.manage')
    .input(
      z.object({
        provider: text(40),
        name: text(1_000),
        credentials: z.record(text(40), text(1_000)),
      }),
    )
    .mutation(async ({ ctx: { db, tenant, actor, now }, input }) =>
      viewOf(await connectAccount(db, { ...tenant, ...input, actor, now })),
    ),

  enable: changing('acquirer.manage', 'enable'),
  disable: changing('acquirer.switch_off', 'disable'),
  /** Ends an account for good; what is under way there ends as it would. */
  disconnect: changing('acquirer.switch_off', 'disconnect'),

  /** Puts all connected accounts into an order. */
  order: staffProcedure('acquirer.manage')
    .input(z.object({ accountIds: z.array(id).max(1_000) }))
    .mutation(({ ctx: { db, tenant, actor, now }, input: { accountIds } }) =>
      orderAccounts(db, tenant, accountIds, { actor, now }),
    ),

  /**
   * What differs between our books and the acquirers', the newest first, until it is settled or gone.
   */
  differences: staffProcedure('business.read').query(async ({ ctx: { db, tenant } }) => ({
    differences: await listDifferences(db, tenant, DIFFERENCES_SHOWN),
  })),

  /** Somebody has looked into a difference; the note stays in the audit log. */
  settleDifference: staffProcedure('refunds.write')
    .input(z.object({ differenceId: id, note: text(MAX_NOTE_LENGTH).trim().min(1) }))
    .mutation(({ ctx: { db, tenant, actor, now }, input: { differenceId, note } }) =>
      settleDifference(db, tenant, { id: differenceId, note }, { actor, now }),
    ),

  /** Tries an account where the acquirer can be asked. */
  check: staffProcedure('acquirer.manage')
    .input(one)
    .mutation(async ({ ctx: { db, tenant, now }, input: { accountId } }) => {
      await checkOwner(db, tenant, accountId);
      if (!(await countTry(db, `acquirer checks ${tenant.merchantId}`, CHECK_LIMIT, now))) {
        throw new GatewayError('too_many_tests');
      }
      return viewOf(await checkAccount(db, accountId, now));
    }),
});
