/**
 * The single record of which area may import which. A path that no entry matches is refused: a new
 * folder is a decision.
 *
 * `files` and `mayImport` are path prefixes from the project's root; one that ends in `$` names a
 * file exactly. `*` stands for one path segment, `**` for any number.
 */
export type Area = {
  name: string;
  files: string[];
  mayImport: string[];
  /** Bare packages that the area may never import (prefix match on whole segments). */
  packagesRefused?: string[];
};

/** Foundations that everything may import. */
const BASE = ['server/lib/', 'server/settings/', 'server/observability/'];
/** The database, for what keeps rows, with the foundations. */
const DATABASE = ['server/db/', ...BASE];
const WORDS = ['server/i18n/'];
// The base of app/; the payment page's two files may import more, not less.
const APP_BASE = [
  'server/rest/',
  'server/http/',
  'server/openapi/',
  'server/trpc/',
  'server/jobs/',
  'server/auth/',
  'server/receipts/',
  'server/register/',
];
const DOMAIN_TYPES = ['server/*/types.ts$'];
/** Pure rules and tables without a dependency, which screens use too. */
const BROWSER_RULES = [
  'server/payments/brand.ts$',
  'server/payments/state.ts$',
  'server/payments/timing.ts$',
  'server/callbacks/reasons.ts$',
];
const DOMAIN = [
  'server/invoices/',
  'server/payments/',
  'server/refunds/',
  'server/links/',
  'server/events/',
  'server/callbacks/',
  'server/receipts/',
  'server/register/',
  'server/merchants/',
  'server/staff/',
  'server/operating/',
  'server/notices/',
  'server/overview/',
];
/** What the statement of a change writes along with it. */
const WRITTEN_ALONG = ['server/*/enqueue.ts$', 'server/events/write.ts$'];
const NOT_IN_DOMAIN = ['next', 'next-auth', 'react', '@trpc', 'inngest', 'zod', 'zod-openapi'];
const NOT_BELOW_APP = ['next', 'react', 'react-dom'];

/** The first matching entry judges a file; tests have entries of their own. */
export const IMPORT_TABLE: Area[] = [
  {
    name: 'tests',
    files: ['**.test.ts$', 'e2e/', 'bench/'],
    mayImport: ['server/', 'app/', 'client/', 'e2e/', 'bench/', 'proxy.ts$'],
  },
  {
    // A separate package that merchants install: it imports only itself.
    name: 'client',
    files: ['client/'],
    mayImport: ['client/'],
  },
  {
    // Merchants' servers: they know only the gateway's API and the installed client.
    name: 'examples',
    files: ['examples/'],
    mayImport: ['examples/'],
  },
  {
    name: 'server/testing',
    files: ['server/testing/'],
    mayImport: [
      'server/testing/',
      // Tests call procedures as signed-in staff, some with a second factor.
      'server/auth/second-factor/second-factor.ts$',
      'server/auth/sessions.ts$',
      'server/trpc/context.ts$',
      'server/trpc/root.ts$',
      'server/process/embedded-postgres/',
      ...DOMAIN,
      ...DATABASE,
    ],
  },
  {
    name: 'server/lib',
    files: ['server/lib/'],
    mayImport: ['server/lib/'],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/i18n',
    files: WORDS,
    mayImport: [...WORDS, 'server/lib/'],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/settings',
    files: ['server/settings/'],
    mayImport: ['server/settings/', 'server/lib/'],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'the metrics endpoint',
    files: ['server/observability/metrics-endpoint.ts$'],
    mayImport: ['server/operating/', ...DATABASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/observability',
    files: ['server/observability/'],
    mayImport: BASE,
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/db',
    files: ['server/db/'],
    mayImport: [...DATABASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/merchants and server/staff',
    files: ['server/merchants/', 'server/staff/'],
    mayImport: ['server/merchants/', 'server/staff/', ...DATABASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    // An event's delivery is a callback, and a callback that is given up is an event.
    name: 'server/callbacks and server/events',
    files: ['server/callbacks/', 'server/events/'],
    mayImport: [
      'server/callbacks/',
      'server/events/',
      'server/merchants/',
      ...DOMAIN_TYPES,
      ...DATABASE,
    ],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/invoices',
    files: ['server/invoices/'],
    mayImport: ['server/invoices/', ...WRITTEN_ALONG, 'server/merchants/', ...DATABASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/payments',
    files: ['server/payments/'],
    mayImport: ['server/payments/', 'server/invoices/', 'server/merchants/', ...DATABASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/refunds and server/links',
    files: ['server/refunds/', 'server/links/'],
    mayImport: [
      'server/refunds/',
      'server/links/',
      'server/payments/',
      'server/invoices/',
      ...WRITTEN_ALONG,
      'server/merchants/',
      ...DATABASE,
    ],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    // What buyers and staff are told of money, on pages, as files and in messages.
    name: 'server/receipts, server/register, server/notices and server/overview',
    files: ['server/receipts/', 'server/register/', 'server/notices/', 'server/overview/'],
    mayImport: ['server/mail/', ...DOMAIN, ...WORDS, ...DATABASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    // What the gateway's own staff see across all merchants.
    name: 'server/operating',
    files: ['server/operating/'],
    mayImport: [
      'server/operating/',
      'server/merchants/',
      'server/staff/',
      'server/invoices/lists/overview.ts$',
      'server/callbacks/queue/queues.ts$',
      'server/callbacks/queue/outbox.ts$',
      'server/payments/accounts/overdue.ts$',
      'server/payments/books/differences.ts$',
      'server/payments/card-testing.ts$',
      'server/payments/holds/acquirer-transactions.ts$',
      'server/payments/state.ts$',
      'server/refunds/overdue.ts$',
      ...DATABASE,
    ],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/wire',
    files: ['server/wire/'],
    mayImport: ['server/wire/', ...DOMAIN_TYPES, ...BASE],
    packagesRefused: NOT_BELOW_APP,
  },
  {
    name: 'server/mail',
    files: ['server/mail/'],
    mayImport: ['server/mail/', 'server/merchants/types.ts$', ...WORDS, ...BASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/auth',
    files: ['server/auth/'],
    mayImport: ['server/auth/', 'server/mail/', 'server/merchants/', 'server/staff/', ...DATABASE],
  },
  {
    name: 'server/rest',
    files: ['server/rest/'],
    mayImport: ['server/rest/', 'server/wire/', ...DOMAIN, ...DATABASE],
    packagesRefused: NOT_BELOW_APP,
  },
  {
    name: 'server/trpc',
    files: ['server/trpc/'],
    mayImport: [
      'server/trpc/',
      'server/wire/',
      'server/auth/',
      'server/mail/email-templates.ts$',
      'server/mail/first-password.ts$',
      ...DOMAIN,
      ...DATABASE,
    ],
    packagesRefused: NOT_BELOW_APP,
  },
  {
    name: 'server/jobs',
    files: ['server/jobs/'],
    mayImport: [
      'server/jobs/',
      'server/mail/send.ts$',
      'server/wire/',
      'server/http/read-body.ts$',
      ...DOMAIN,
      ...DATABASE,
    ],
    packagesRefused: ['react', 'react-dom'],
  },
  {
    name: 'server/demo',
    files: ['server/demo/'],
    mayImport: ['server/demo/', 'server/testing/acquirers/hook-call.ts$', ...DOMAIN, ...DATABASE],
    packagesRefused: NOT_IN_DOMAIN,
  },
  {
    name: 'server/cli',
    files: ['server/cli/'],
    mayImport: [
      'server/cli/',
      'server/demo/',
      'server/testing/acquirers/stand-ins.ts$',
      'server/wire/',
      'server/mail/',
      'server/process/embedded-postgres/',
      'client/src/command.ts$',
      ...WORDS,
      ...DOMAIN,
      ...DATABASE,
    ],
    packagesRefused: NOT_BELOW_APP,
  },
  {
    name: 'server/checks',
    files: ['server/checks/'],
    mayImport: ['server/checks/', 'e2e/chromium.ts$', ...BASE],
  },
  {
    name: 'server/http',
    files: ['server/http/'],
    mayImport: ['server/http/', 'server/rest/', 'server/wire/', ...DATABASE],
    packagesRefused: NOT_BELOW_APP,
  },
  {
    name: 'server/openapi',
    files: ['server/openapi/'],
    mayImport: [
      'server/openapi/',
      'server/wire/',
      'server/rest/',
      'server/http/',
      ...DOMAIN,
      ...DATABASE,
    ],
    packagesRefused: NOT_BELOW_APP,
  },
  {
    name: 'the processes',
    files: ['server/bootstrap.js$', 'server/web/', 'server/worker/', 'server/process/'],
    mayImport: ['server/'],
  },
  {
    name: 'loaders and actions of buyers’ pages',
    files: ['app/pay/*/loader.ts$', 'app/pay/*/actions.ts$', 'app/link/*/loader.ts$'],
    mayImport: [
      'app/',
      ...APP_BASE,
      'server/links/',
      'server/invoices/',
      'server/payments/',
      'server/refunds/',
      'server/merchants/',
      ...WORDS,
      ...DATABASE,
    ],
  },
  {
    name: 'instrumentation.ts',
    files: ['instrumentation.ts$'],
    mayImport: [
      'server/http/',
      'server/operating/secrets-key.ts$',
      'server/observability/start-tracing.ts$',
      ...BASE,
    ],
  },
  {
    name: 'app',
    files: ['app/', 'proxy.ts$'],
    mayImport: ['app/', ...APP_BASE, ...DOMAIN_TYPES, ...BROWSER_RULES, ...WORDS, ...BASE],
  },
  { name: 'settings of tools', files: ['*$'], mayImport: ['server/', 'e2e/'] },
];
