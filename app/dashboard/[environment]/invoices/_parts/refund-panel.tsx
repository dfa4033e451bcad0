import { Badge, type BadgeTone } from '#app/_ui/badge.tsx';
import { type Translator, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { RefundStatus } from '#server/refunds/types.ts';
import type { InvoiceDetailView } from '#server/trpc/rows.ts';
import { actorName } from '../../../_shared/audit-words.ts';
import { CopyableId } from '../../../_shared/copyable-id.tsx';
import { Instant } from '../../../_shared/instant.tsx';
import { Facts, Panel } from '../../../_shared/panel.tsx';
import { type Refundable, RefundDialog } from './refund-dialog.tsx';

type Refunds = NonNullable<InvoiceDetailView['refunds']>;
type Refund = Refunds['refunds'][number];

const TONES: Record<RefundStatus, BadgeTone> = {
  PENDING: 'caution',
  SUCCEEDED: 'positive',
  FAILED: 'negative',
};

/** Who asked for a refund. */
export function authorText({ author }: Refund, locale: Locale): string {
  if (author === null) return translatorOf(locale, 'dashboard.refund')('began');
  const t = translatorOf(locale, 'dashboard.invoice');
  return author.email === null
    ? t(`actors.${author.type}`)
    : `${t('by')} ${actorName(author.email, locale)}`;
}

type View = { locale: Locale; timeZone: string; environment: Environment; data: InvoiceDetailView };

/** What a new refund of the invoice needs to know; null where none can be asked for here. */
export function refundableOf(
  { locale, environment, data: { invoice, refunds, isDisputed } }: Omit<View, 'timeZone'>,
  permissions: readonly string[],
): Refundable | null {
  if (!refunds || refunds.refundableMinor === 0n) return null;
  if (!permissions.includes('refunds.write')) return null;
  const { acquirer, refundableMinor: leftMinor } = refunds;
  const takes = acquirer?.refunds;
  if (takes !== 'partial' && takes !== 'full') return null;
  const onlyWholeAt = takes === 'full' ? (acquirer?.title ?? null) : null;
  const { id: invoiceId, currency } = invoice;
  return { environment, locale, invoiceId, currency, leftMinor, onlyWholeAt, isDisputed };
}

/** Why nothing, or not any sum, can be refunded here; null where there is nothing to say. */
function whyNot(
  { acquirer: account, refundableMinor }: Refunds,
  permissions: readonly string[],
  t: Translator<'dashboard.refund'>,
): string | null {
  if (refundableMinor === 0n || !account) return null;
  const { title: acquirer, refunds: takes } = account;
  if (takes === 'outside') return t('outside', { acquirer });
  if (takes === 'none') return t('none', { acquirer });
  if (!permissions.includes('refunds.write')) return t('notAllowed');
  return takes === 'full' ? t('onlyWhole', { acquirer }) : null;
}

function RefundItem({
  refund,
  refundable,
  ...view
}: View & { refund: Refund; refundable: Refundable | null }) {
  const { locale, timeZone } = view;
  const t = translatorOf(locale, 'dashboard');
  const { amountMinor, currency, status, reason, failureReason, reference } = refund;
  const amount = formatMoney(amountMinor, currency, locale);
  const left = refundable?.leftMinor ?? 0n;
  const id = (value: string) => (
    <CopyableId id={value} copy={t('callbacks.copyId')} copied={t('invoice.copied')} />
  );
  return (
    <li className="grid grid-cols-1 gap-1 py-3 text-[0.9375rem] last:pb-0">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold tabular-nums wrap-anywhere">{amount}</span>
        <Badge tone={TONES[status]}>{t(`refund.states.${status}`)}</Badge>
      </p>
      {failureReason !== null && (
        <p className="text-negative wrap-anywhere">
          <bdi>{failureReason}</bdi>
        </p>
      )}
      {reason !== null && (
        <p className="wrap-anywhere">
          <bdi>{reason}</bdi>
        </p>
      )}
      <p className="text-muted text-sm wrap-anywhere">
        {authorText(refund, locale)} ·{' '}
        <Instant atMs={refund.createdAtMs} locale={locale} timeZone={timeZone} />
      </p>
      <div className="text-muted text-sm">{id(refund.id)}</div>
      {reference !== null && (
        <div className="text-muted text-sm">
          {t('refund.reference')} {id(reference)}
        </div>
      )}
      {status === 'FAILED' && refundable && (
        <div className="mt-1 print:hidden">
          <RefundDialog
            {...refundable}
            label={t('refund.again')}
            accessibleLabel={`${t('refund.again')}: ${amount}`}
            preset={{ amountMinor: amountMinor < left ? amountMinor : left, reason: reason ?? '' }}
          />
        </div>
      )}
    </li>
  );
}

/** The refunds of a paid invoice, what they come to and what is left. */
export function RefundPanel({ permissions, ...view }: View & { permissions: readonly string[] }) {
  const { locale, data } = view;
  const { refunds } = data;
  if (!refunds) return null;
  const t = translatorOf(locale, 'dashboard.refund');
  const money = (minor: bigint) => formatMoney(minor, refunds.currency, locale);
  const refundable = refundableOf(view, permissions);
  const why = whyNot(refunds, permissions, t);
  return (
    <Panel id="refunds" title={t('title')}>
      <Facts
        facts={[
          { name: t('refunded'), value: money(refunds.refundedMinor) },
          { name: t('left'), value: money(refunds.refundableMinor) },
        ]}
      />
      {why !== null && <p className="mt-3 text-muted text-sm wrap-anywhere">{why}</p>}
      {refunds.refunds.length > 0 && (
        <ul className="mt-3 divide-y divide-line border-line border-t">
          {refunds.refunds.toReversed().map((refund) => (
            <RefundItem key={refund.id} refund={refund} refundable={refundable} {...view} />
          ))}
        </ul>
      )}
    </Panel>
  );
}
