import { z } from 'zod';
import {
  deleteView,
  listViews,
  renameView,
  saveView,
  VIEW_LIMITS,
  VIEWED_LISTS,
} from '../../staff/saved-views.ts';
import { router, staffProcedure } from '../init.ts';
import { id, text } from '../inputs.ts';

const list = z.enum(VIEWED_LISTS);
const viewName = text(VIEW_LIMITS.name).trim().min(1);

/** The lists that a person keeps under names of their own. */
export const viewsRouter = router({
  list: staffProcedure('account.self')
    .input(z.object({ list }))
    .query(({ ctx: { db, tenant, session }, input }) =>
      listViews(db, { tenant, userId: session.user.id }, input.list),
    ),

  save: staffProcedure('views.keep')
    .input(z.object({ list, viewName, query: text(VIEW_LIMITS.query) }))
    .mutation(({ ctx: { db, tenant, session, now }, input: { viewName: name, ...view } }) =>
      saveView(db, { tenant, userId: session.user.id }, { ...view, name, now }),
    ),

  rename: staffProcedure('views.keep')
    .input(z.object({ viewId: id, viewName }))
    .mutation(({ ctx: { db, tenant, session }, input: { viewId, viewName: name } }) =>
      renameView(db, { tenant, userId: session.user.id }, { viewId, name }),
    ),

  delete: staffProcedure('views.keep')
    .input(z.object({ viewId: id }))
    .mutation(({ ctx: { db, tenant, session }, input }) =>
      deleteView(db, { tenant, userId: session.user.id }, input),
    ),
});
