import { z } from 'zod';
import { listAudit, listAuditChoices } from '../../merchants/audit-list.ts';
import { router, staffProcedure } from '../init.ts';

const instantMs = z.int().min(0).max(253_402_300_800_000).nullable().default(null);
const text = z.string().min(1).max(255).nullable().default(null);

/** The audit log: who, what, when, from where. */
export const auditRouter = router({
  /** A page, the newest first. */
  list: staffProcedure('audit.read')
    .input(
      z.object({
        person: text,
        action: text,
        fromMs: instantMs,
        untilMs: instantMs,
        cursor: z
          .string()
          .regex(/^\d{1,18}$/)
          .nullable()
          .default(null),
        limit: z.int().min(1).max(1_000).default(50),
      }),
    )
    .query(({ ctx, input }) => listAudit(ctx.db, ctx.tenant, input)),

  /** What the list can be narrowed to. */
  choices: staffProcedure('audit.read').query(({ ctx }) => listAuditChoices(ctx.db, ctx.tenant)),
});
