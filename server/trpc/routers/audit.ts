import { z } from 'zod';
import { listAudit, listAuditChoices } from '../../merchants/audit-list.ts';
import { router, staffProcedure } from '../init.ts';
import { bound, checkRows, rows, text } from '../inputs.ts';
import { noteExport } from '../note-export.ts';

const filter = text(255).min(1).nullable().default(null);
const filters = { person: filter, action: filter, fromMs: bound, untilMs: bound };

/** The audit log: who, what, when, from where. */
export const auditRouter = router({
  /** A page, the newest first. */
  list: staffProcedure('audit.read')
    .input(
      z.object({
        ...filters,
        cursor: z
          .string()
          .regex(/^\d{1,14}-\d{1,18}$/)
          .nullable()
          .default(null),
        limit: rows,
      }),
    )
    .query(({ ctx, input }) => {
      checkRows(ctx, input.limit);
      return listAudit(ctx.db, ctx.tenant, input);
    }),

  /** Records that the log is exported; called before the file is sent. */
  noteExport: staffProcedure('audit.read')
    .input(z.object(filters))
    .mutation(({ ctx: { db, tenant, actor, now }, input: narrowing }) =>
      noteExport(db, tenant, { action: 'audit.export', narrowing, actor, now }),
    ),

  /** The choices for filtering the list. */
  choices: staffProcedure('audit.read').query(({ ctx }) => listAuditChoices(ctx.db, ctx.tenant)),
});
