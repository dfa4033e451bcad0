import { z } from 'zod';
import { GatewayError } from '../../lib/errors.ts';
import { handOver } from '../../mail/first-password.ts';
import { listRecentAudit } from '../../merchants/audit-list.ts';
import { createMerchant, setMerchantStatus } from '../../merchants/mutations.ts';
import { ENVIRONMENTS, type Environment } from '../../merchants/types.ts';
import { listAcquirers } from '../../operating/acquirers.ts';
import { listDeedChoices, listDeeds } from '../../operating/audit.ts';
import { listFailedRecoveries, listPendingCaptures, readBacklog } from '../../operating/backlog.ts';
import { listProcesses } from '../../operating/heartbeats.ts';
import { beginImpersonation, endImpersonation } from '../../operating/impersonation.ts';
import {
  countMerchants,
  listMerchantHealth,
  readMerchantHealth,
} from '../../operating/merchants.ts';
import {
  lowestFirst,
  type MerchantRates,
  mostPaidFirst,
  readRates,
} from '../../operating/rates.ts';
import { listSamples } from '../../operating/samples.ts';
import {
  groupTroubles,
  listTroubles,
  readLateWork,
  type Trouble,
  worstFirst,
} from '../../operating/troubles.ts';
import { listOverdue } from '../../payments/accounts/overdue.ts';
import { listDifferences } from '../../payments/books/differences.ts';
import { accountProviderOf } from '../../payments/providers/registry.ts';
import { listOverdueRefunds } from '../../refunds/overdue.ts';
import { settings } from '../../settings/settings.ts';
import { listWaitingOwners, renewOwnerLink } from '../../staff/waiting-owners.ts';
import { operatorProcedure, router } from '../init.ts';
import { bound, id, text } from '../inputs.ts';

const MERCHANTS_PAGE = 25;
const RECOVERIES_SHOWN = 20;
const AUDIT_SHOWN = 20;
const HOUR_MS = 60 * 60 * 1000;
const PICTURE_HOURS = 24;

const DEEDS_PAGE = 50;
const filter = text(255).min(1).nullable().default(null);

const merchantOnly = z.object({ merchantId: id });

const inEnvironment = z.object({ environment: z.enum(ENVIRONMENTS) });

const DIFFERENCES_SHOWN = 100;

const MERCHANT_ORDERS = ['worst', 'approval', 'delivery', 'payments', 'newest'] as const;
type InOrder = (troubles: Trouble[], rates: Map<string, MerchantRates>) => string[];
/** The merchants that come first in each order; the others follow, the newest first. */
const FIRST: Record<(typeof MERCHANT_ORDERS)[number], InOrder> = {
  worst: worstFirst,
  approval: (_, rates) => lowestFirst(rates, 'approval'),
  delivery: (_, rates) => lowestFirst(rates, 'delivery'),
  payments: (_, rates) => mostPaidFirst(rates),
  newest: () => [],
};

const noMerchant = () => new GatewayError('merchant_not_found');

/** What the gateway's own staff see and do, over all merchants. */
export const operatorRouter = router({
  /**
   * What is wrong in one environment, and the gateway's own state: its backlog, processes and
   * failures, and samples of the last day.
   */
  overview: operatorProcedure.input(inEnvironment).query(async ({ ctx: { db, now }, input }) => {
    const { environment } = input;
    const since = new Date(now.getTime() - PICTURE_HOURS * HOUR_MS);
    // One after the other: all at once would take connections that the API waits for.
    const backlog = await readBacklog(db, now);
    const processes = await listProcesses(db, now);
    const limit = RECOVERIES_SHOWN;
    const failed = await listFailedRecoveries(db, { now, limit: limit + 1, environment });
    const pendingCaptures = await listPendingCaptures(db, { now, limit, environment });
    const troubles = await listTroubles(db, now);
    const lateWork = await readLateWork(db, now);
    const samples = await listSamples(db, since);
    const merchants = await countMerchants(db);
    return {
      environment,
      backlog,
      processes,
      failedRecoveries: failed.slice(0, RECOVERIES_SHOWN),
      failedRecoveriesIsMore: failed.length > RECOVERIES_SHOWN,
      pendingCaptures,
      troubles: groupTroubles(troubles, environment),
      troublesElsewhere: troubles.filter((each) => each.environment !== environment).length,
      lateWork,
      samples,
      merchants,
      at: now,
    };
  }),

  /**
   * What became of payments by acquirer and account in one environment, the accounts with payments and with refunds that are open
   * longer than they should be, and what differs between our books and the acquirers'.
   */
  acquirers: operatorProcedure.input(inEnvironment).query(async ({ ctx: { db, now }, input }) => {
    const { environment } = input;
    const isThere = (account: { environment: Environment }) => account.environment === environment;
    const acquirers = await listAcquirers(db, { environment, now });
    return {
      acquirers: acquirers.map((each) => ({
        ...each,
        title: accountProviderOf(each.provider)?.traits.title ?? each.provider,
      })),
      accounts: (await listOverdue(db, now)).filter(isThere),
      refunds: (await listOverdueRefunds(db, now)).filter(isThere),
      differences: await listDifferences(db, { merchantId: null, environment }, DIFFERENCES_SHOWN),
      at: now,
    };
  }),

  /** A page of merchants with volume and health in one environment, the worst first. */
  merchants: operatorProcedure
    .input(
      z.object({
        search: text(254).default(''),
        environment: z.enum(ENVIRONMENTS).default('production'),
        sort: z.enum(MERCHANT_ORDERS).default('worst'),
        page: z.int().min(1).max(10_000).default(1),
      }),
    )
    .query(async ({ ctx: { db, now, tenantOf }, input }) => {
      const { environment } = input;
      const troubles = (await listTroubles(db, now)).filter(
        (each) => each.environment === environment,
      );
      const rates = await readRates(db, { environment, now });
      const first = FIRST[input.sort](troubles, rates.merchants);
      const at = { now, tenantOf, first, limit: MERCHANTS_PAGE };
      const { merchants, isMore } = await listMerchantHealth(db, { ...input, ...at });
      return {
        merchants: merchants.map((each) => ({
          ...each,
          troubles: troubles.filter(({ merchant }) => merchant.id === each.id),
          rates: rates.merchants.get(each.id) ?? null,
        })),
        isMore,
        at: now,
      };
    }),

  /** One merchant in both environments: what is wrong, and its latest audit entries. */
  merchant: operatorProcedure
    .input(merchantOnly)
    .query(async ({ ctx: { db, now, tenantOf }, input }) => {
      const [merchant, audit, waitingOwners] = await Promise.all([
        readMerchantHealth(db, input.merchantId, { now, tenantOf }),
        listRecentAudit(db, input.merchantId, AUDIT_SHOWN),
        listWaitingOwners(db, input.merchantId, now),
      ]);
      if (!merchant) throw noMerchant();
      const all = await listTroubles(db, now);
      const troubles = all.filter((each) => each.merchant.id === merchant.id);
      return { merchant, audit, waitingOwners, troubles, at: now };
    }),

  /**
   * Makes a merchant as the command does; only this answer has its secrets. If the link went by
   * e-mail, the answer says only that there is one.
   */
  createMerchant: operatorProcedure
    .input(z.object({ name: text(400), ownerEmail: text(400), timeZone: text(400).optional() }))
    .mutation(async ({ ctx: { db, actor, now }, input }) => {
      const { owner, ...made } = await createMerchant(db, { ...input, actor, now });
      const { publicUrl } = settings();
      const baseUrl = `${publicUrl}/api`;
      const { email, link } = owner;
      return {
        ...made,
        owner: {
          email,
          link: link && (await handOver(link, { merchantName: made.name, publicUrl })),
        },
        sandbox: { ...made.sandbox, baseUrl: `${baseUrl}/sandbox` },
        production: { ...made.production, baseUrl: `${baseUrl}/production` },
      };
    }),

  /** Makes another link for an owner who has never signed in; the previous one ends. */
  renewOwnerLink: operatorProcedure
    .input(merchantOnly.extend({ userId: id }))
    .mutation(async ({ ctx: { db, actor, now }, input }) => {
      const { merchantName, link } = await renewOwnerLink(db, { ...input, actor, now });
      return await handOver(link, { merchantName, publicUrl: settings().publicUrl });
    }),

  /** Suspends or reactivates a merchant. */
  setStatus: operatorProcedure
    .input(merchantOnly.extend({ status: z.enum(['active', 'suspended']) }))
    .mutation(async ({ ctx: { db, actor, now }, input }) => {
      const outcome = await setMerchantStatus(db, { ...input, actor, now });
      if (outcome === 'not_found') throw noMerchant();
      return { outcome };
    }),

  /** Opens a merchant's dashboard to this session for an hour, with support's permissions. */
  act: operatorProcedure
    .input(merchantOnly)
    .mutation(async ({ ctx: { db, session, actor, now }, input: { merchantId } }) => {
      const begun = await beginImpersonation(db, { sessionId: session.id, merchantId, actor, now });
      if (begun === 'not_found') throw noMerchant();
    }),

  /** Ends the impersonation. */
  endAct: operatorProcedure.mutation(async ({ ctx: { db, session } }) => ({
    ended: await endImpersonation(db, session.id),
  })),

  /** A page of what operators did, the newest first, and the choices for filtering it. */
  deeds: operatorProcedure
    .input(
      z.object({
        operator: filter,
        deed: filter,
        merchant: filter,
        fromMs: bound,
        untilMs: bound,
        cursor: z
          .string()
          .regex(/^\d{1,14}-\d{1,18}$/)
          .nullable()
          .default(null),
      }),
    )
    .query(async ({ ctx: { db }, input: { deed: action, ...input } }) => ({
      ...(await listDeeds(db, { ...input, action, limit: DEEDS_PAGE })),
      choices: await listDeedChoices(db),
    })),
});
