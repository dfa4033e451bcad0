import { createCallerFactory, router } from './init.ts';
import { accountRouter } from './routers/account.ts';
import { acquirersRouter } from './routers/acquirers.ts';
import { auditRouter } from './routers/audit.ts';
import { callbacksRouter } from './routers/callbacks.ts';
import { developersRouter } from './routers/developers.ts';
import { eventsRouter } from './routers/events.ts';
import { invoicesRouter } from './routers/invoices.ts';
import { linksRouter } from './routers/links.ts';
import { noticesRouter } from './routers/notices.ts';
import { operatorRouter } from './routers/operator.ts';
import { overviewRouter } from './routers/overview.ts';
import { paymentLinksRouter } from './routers/payment-links.ts';
import { refundsRouter } from './routers/refunds.ts';
import { registerRouter } from './routers/register.ts';
import { securityRouter } from './routers/security.ts';
import { settingsRouter } from './routers/settings.ts';
import { teamRouter } from './routers/team.ts';
import { viewsRouter } from './routers/views.ts';

/** All queries and mutations of the dashboard. */
export const appRouter = router({
  account: accountRouter,
  security: securityRouter,
  audit: auditRouter,
  team: teamRouter,
  views: viewsRouter,
  invoices: invoicesRouter,
  refunds: refundsRouter,
  overview: overviewRouter,
  register: registerRouter,
  paymentLinks: paymentLinksRouter,
  links: linksRouter,
  callbacks: callbacksRouter,
  events: eventsRouter,
  acquirers: acquirersRouter,
  developers: developersRouter,
  settings: settingsRouter,
  notices: noticesRouter,
  operator: operatorRouter,
});

export type AppRouter = typeof appRouter;

/** Calls procedures within the process, through the same gate, for pages. */
export const createCaller = createCallerFactory(appRouter);
