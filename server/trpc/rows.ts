import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from './root.ts';

type Outputs = inferRouterOutputs<AppRouter>;

/** The procedures' answers, under the names that screens use. */
export type InvoiceListItem = Outputs['invoices']['list']['invoices'][number];

/** A list as somebody keeps it under a name. */
export type SavedView = Outputs['views']['list'][number];
export type ViewedList = inferRouterInputs<AppRouter>['views']['list']['list'];

/** Everything about one invoice. */
export type InvoiceDetailView = Outputs['invoices']['read'];

/** A link for any number of buyers, with its figures. */
export type LinkView = Outputs['links']['list'][number];

/** An invoice that such a link made. */
export type OrderView = Outputs['links']['read']['orders'][number];

/** The place of an invoice that was requested elsewhere. */
export type InvoicePlaceView = NonNullable<Outputs['invoices']['find']>;

/** A delivery in its list. */
export type CallbackListItem = Outputs['callbacks']['list']['callbacks'][number];

/** A delivery with every request and answer. */
export type CallbackDetailView = Outputs['callbacks']['read'];

/** Where events are sent, or null. */
export type EventAddressView = Outputs['events']['address'];

/** A host that fails to accept its callbacks. */
export type FailingHostView = Outputs['callbacks']['failingHosts'][number];

/** An address's answers to samples. */
export type EndpointReportView = Outputs['callbacks']['tryEndpoint'];

/** An API token without its text. */
export type TokenView = Outputs['developers']['tokens']['tokens'][number];

/** One of one's own sessions. */
export type SessionView = Outputs['account']['sessions'][number];

/** What one hears of a merchant, and how. */
export type NoticesView = Outputs['notices']['read'];

/** The state of one's own second factor. */
export type SecondFactorView = Outputs['security']['secondFactor'];

/** A member of staff. */
export type MemberItem = Outputs['team']['members'][number];

/** A person invited to the staff. */
export type InvitationItem = Outputs['team']['invitations'][number];

/** A merchant with its volume and health, as the operator sees it. */
export type MerchantHealthView = Outputs['operator']['merchant']['merchant'];

/** The same in its list, with what is wrong in one environment. */
export type ListedMerchantView = Outputs['operator']['merchants']['merchants'][number];

/** An acquirer's results, with its accounts. */
export type AcquirerLineView = Outputs['operator']['acquirers']['acquirers'][number];

/** An owner who has never signed in. */
export type WaitingOwnerView = Outputs['operator']['merchant']['waitingOwners'][number];

/** The state of the whole gateway. */
export type OperatorOverview = Outputs['operator']['overview'];

/** A trouble of a merchant's. */
export type TroubleView = OperatorOverview['troubles'][number]['troubles'][number];

/** A merchant's account at an acquirer with payments that are open too long. */
export type OverdueAccountView = Outputs['operator']['acquirers']['accounts'][number];

/** A merchant's account at an acquirer with refunds that are open too long. */
export type OverdueRefundsView = Outputs['operator']['acquirers']['refunds'][number];

/** What an operator did. */
export type OperatorDeedView = Outputs['operator']['deeds']['entries'][number];

/** A merchant that was just made, with its secrets, shown once. */
export type NewMerchantView = Outputs['operator']['createMerchant'];

/** An entry of the audit log. */
export type AuditItem = Outputs['audit']['list']['entries'][number];

/** A request to the API. */
export type ApiRequestItem = Outputs['developers']['requests']['requests'][number];

/** What came and went today and yesterday. */
export type TodayView = Outputs['overview']['today'];

/** Something that waits for somebody of the merchant. */
export type CauseView = Outputs['overview']['causes'][number];

/** A payment that came in. */
export type LatestPaymentView = Outputs['overview']['latest'][number];

/** The way of a new merchant to its first real payment. */
export type ChecklistView = NonNullable<Outputs['overview']['checklist']>;

/** What became of the invoices of some days. */
export type OutcomesView = Outputs['overview']['outcomes'];

/** What came and went by day. */
export type ChartView = Outputs['overview']['chart'];

/** An account at an acquirer, without what opens it. */
export type AcquirerAccountView = Outputs['acquirers']['list']['accounts'][number];

/** A payment or refund on which an acquirer's books and ours differ. */
export type BookDifferenceView = Outputs['acquirers']['differences']['differences'][number];

/** An acquirer that can be connected. */
export type AcquirerProviderView = Outputs['acquirers']['list']['providers'][number];

/** How a merchant presents itself. */
export type SettingsView = Outputs['settings']['read'];

/** A permission of a member of staff. */
export type Permission = Outputs['account']['current']['permissions'][number];

/** A fault of a hand-made invoice that only the server finds. */
export type FormFault = Extract<
  Outputs['paymentLinks']['create'],
  { outcome: 'invalid' }
>['faults'][number];

/** A payment or refund of a day. */
export type RegisterItem = Outputs['register']['page']['rows'][number];

/** What a list of invoices comes to; null if that takes too long. */
export type ListTotalsView = Outputs['invoices']['totals'];

/** What a day comes to in a currency. */
export type RegisterTotalView = Outputs['register']['page']['totals'][number];
