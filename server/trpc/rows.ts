import type { inferRouterOutputs } from '@trpc/server';
import type { AppRouter } from './root.ts';

type Outputs = inferRouterOutputs<AppRouter>;

/** What the procedures answer, by the names that screens use. */
export type InvoiceListItem = Outputs['invoices']['list']['invoices'][number];

/** All about one invoice. */
export type InvoiceDetailView = Outputs['invoices']['read'];

/** Where an invoice is that was asked for in another place. */
export type InvoicePlaceView = NonNullable<Outputs['invoices']['find']>;

/** A delivery, as its list shows it. */
export type CallbackListItem = Outputs['callbacks']['list']['callbacks'][number];

/** A delivery with every request and answer. */
export type CallbackDetailView = Outputs['callbacks']['read'];

/** A host that does not take its callbacks. */
export type FailingHostView = Outputs['callbacks']['failingHosts'][number];

/** How an address answered to samples. */
export type EndpointReportView = Outputs['callbacks']['tryEndpoint'];

/** An API token without its text. */
export type TokenView = Outputs['developers']['tokens']['tokens'][number];

/** One of one's own sessions. */
export type SessionView = Outputs['account']['sessions'][number];

/** How one's own second factor stands. */
export type SecondFactorView = Outputs['security']['secondFactor'];

/** A member of staff. */
export type MemberItem = Outputs['team']['members'][number];

/** Somebody who is asked onto the staff. */
export type InvitationItem = Outputs['team']['invitations'][number];

/** A merchant with its volume and health, as the operator sees it. */
export type MerchantHealthView = Outputs['operator']['merchant']['merchant'];

/** An owner who has never come in. */
export type WaitingOwnerView = Outputs['operator']['merchant']['waitingOwners'][number];

/** How the whole gateway is. */
export type OperatorOverview = Outputs['operator']['overview'];

/** A merchant that was just made, with what is shown once. */
export type NewMerchantView = Outputs['operator']['createMerchant'];

/** An entry of the audit log. */
export type AuditItem = Outputs['audit']['list']['entries'][number];

/** A request to the API. */
export type ApiRequestItem = Outputs['developers']['requests']['requests'][number];

/** The figures of the overview. */
export type OverviewView = Outputs['overview']['read'];

/** How a merchant presents itself. */
export type SettingsView = Outputs['settings']['read'];

/** What somebody on the staff may do. */
export type Permission = Outputs['account']['current']['permissions'][number];

/** What the server alone finds wrong with an invoice that is made by hand. */
export type FormFault = Extract<
  Outputs['paymentLinks']['create'],
  { outcome: 'invalid' }
>['faults'][number];
