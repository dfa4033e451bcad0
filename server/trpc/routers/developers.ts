import { z } from 'zod';
import { MAX_SEARCH_LENGTH } from '../../invoices/types.ts';
import { GatewayError } from '../../lib/errors.ts';
import { listApiRequests, REQUEST_OUTCOMES } from '../../merchants/api-request-list.ts';
import { issueToken, withdrawToken } from '../../merchants/mutations.ts';
import { rotateSecretByStaff } from '../../merchants/rotate-secret.ts';
import { rotateTokenByStaff } from '../../merchants/rotate-token.ts';
import { listSigningSecrets } from '../../merchants/signing-secrets.ts';
import { listTokens } from '../../merchants/tokens.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../merchants/types.ts';
import { settings } from '../../settings/settings.ts';
import { isAllowed } from '../../staff/roles.ts';
import { router, staffProcedure } from '../init.ts';
import { text } from '../inputs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const HOUR_MS = 60 * 60 * 1000;
const MAX_TOKEN_DAYS = 3_650;
// More than there may be, so that too many are refused in words.
const MAX_SENT_NETWORKS = 1_000;
const MAX_OVERLAP_HOURS = 7 * 24;

export const developersRouter = router({
  /** What a merchant's server needs to call the API in this environment. */
  connection: staffProcedure('business.read').query(({ ctx: { tenant } }) => ({
    merchantId: tenant.merchantId,
    baseUrl: `${settings().publicUrl}/api/${tenant.environment}`,
  })),

  /** This environment's working tokens, and the most recently ended ones, without their texts. */
  tokens: staffProcedure('token.read').query(({ ctx: { db, tenant, now } }) =>
    listTokens(db, { ...tenant, now }),
  ),

  /** Makes a token; only this answer has its text. Only those who may refund let a token do so. */
  createToken: staffProcedure('token.manage')
    .input(
      z.object({
        name: text(200),
        expiresInDays: z.int().min(1).max(MAX_TOKEN_DAYS).nullable(),
        scopes: z
          .array(z.enum(SCOPES))
          .min(1)
          .max(SCOPES.length)
          .default([...DEFAULT_SCOPES]),
        networks: z.array(text(100)).max(MAX_SENT_NETWORKS).default([]),
      }),
    )
    .mutation(async ({ ctx: { db, tenant, merchant, actor, now }, input }) => {
      const { name, expiresInDays, scopes, networks } = input;
      if (scopes.includes('refunds.write') && !isAllowed(merchant, 'refunds.write')) {
        throw new GatewayError('permission_missing');
      }
      return await issueToken(db, {
        merchantId: tenant.merchantId,
        environment: tenant.environment,
        name,
        expiresAt: expiresInDays === null ? null : new Date(now.getTime() + expiresInDays * DAY_MS),
        scopes: SCOPES.filter((scope) => scopes.includes(scope)),
        networks,
        actor,
        now,
      });
    }),

  /** Makes a token that follows another, which keeps working for some hours; shown once. */
  rotateToken: staffProcedure('token.manage')
    .input(
      z.object({
        tokenId: text(255).min(1),
        overlapHours: z.int().min(0).max(MAX_OVERLAP_HOURS),
      }),
    )
    .mutation(({ ctx: { db, tenant, actor, now }, input: { tokenId, overlapHours } }) =>
      rotateTokenByStaff(db, tenant, { tokenId, overlapMs: overlapHours * HOUR_MS, actor, now }),
    ),

  /** Ends a token for good. */
  deactivateToken: staffProcedure('token.deactivate')
    .input(z.object({ tokenId: text(255).min(1) }))
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { tokenId } }) => {
      const { merchantId, environment } = tenant;
      const outcome = await withdrawToken(db, { merchantId, environment, tokenId, actor, now });
      if (outcome === 'not_found') throw new GatewayError('token_not_found');
    }),

  /** From when and until when each secret signs, without their texts. */
  secrets: staffProcedure('token.read').query(({ ctx: { db, tenant, now } }) =>
    listSigningSecrets(db, tenant, now),
  ),

  /** A page of the last days' API requests, the newest first. */
  requests: staffProcedure('request.read')
    .input(
      z.object({
        search: text(MAX_SEARCH_LENGTH).min(1).nullable().default(null),
        outcome: z.enum(REQUEST_OUTCOMES).nullable().default(null),
        endpoint: text(100).min(1).nullable().default(null),
        cursor: text(40).nullable().default(null),
        limit: z.int().min(1).max(200).default(50),
      }),
    )
    .query(({ ctx: { db, tenant }, input }) => listApiRequests(db, tenant, input)),

  /**
   * Makes a new signing secret, shown once; the previous one signs as well for some hours. One that
   * is already expiring ends at once, and only if `endsSecretId` names it.
   */
  rotateSecret: staffProcedure('secret.manage')
    .input(
      z.object({
        // Workers cache the keys for some seconds: without an overlap they would sign with nothing
        // but the ended one.
        overlapHours: z.int().min(1).max(MAX_OVERLAP_HOURS),
        endsSecretId: text(255).min(1).nullable().default(null),
      }),
    )
    .mutation(async ({ ctx: { db, tenant, actor, now }, input: { overlapHours, ...input } }) => ({
      secret: await rotateSecretByStaff(db, tenant, {
        ...input,
        overlapMs: overlapHours * HOUR_MS,
        actor,
        now,
      }),
    })),
});
