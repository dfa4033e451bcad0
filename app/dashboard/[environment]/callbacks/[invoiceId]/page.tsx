import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { isolated } from '#app/_i18n/isolated.ts';
import { requestLocale, surfaceLocale } from '#app/_i18n/request-locale.ts';
import { translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { CallbackDetailView } from '#server/trpc/rows.ts';
import { businessSession, load } from '../../../_server/api.ts';
import { viewerZone } from '../../../_server/zone.ts';
import { BackLink } from '../../../_shared/back-link.tsx';
import {
  CallbackSchedule,
  CallbackSubject,
  callbackName,
} from '../../../_shared/callback-schedule.tsx';
import { CopyButton } from '../../../_shared/copy-button.tsx';
import { CopyableAddress, CopyableId } from '../../../_shared/copyable-id.tsx';
import { ActionButton } from '../../../_shared/forms/action-button.tsx';
import { shortened } from '../../../_shared/forms/question-text.ts';
import { Instant } from '../../../_shared/instant.tsx';
import { KeepFresh } from '../../../_shared/lists/keep-fresh.tsx';
import { NewestShown } from '../../../_shared/lists/newest-shown.tsx';
import { Facts, Panel } from '../../../_shared/panel.tsx';
import { CallbackBadge } from '../../../_shared/status-badge.tsx';
import { NotHere } from '../../../_shell/not-here.tsx';
import { ExchangeItem } from '../_parts/exchange.tsx';
import { indentedJson } from '../_parts/indented-json.ts';

type Props = { params: Promise<{ environment: string; invoiceId: string }> };
type View = {
  locale: Locale;
  timeZone: string;
  base: string;
  environment: Environment;
  data: CallbackDetailView;
};

export async function generateMetadata(): Promise<Metadata> {
  const t = translatorOf(await requestLocale(), 'dashboard.callbacks');
  return { title: t('title') };
}

function Summary({ locale, timeZone, base, data: { callback } }: View) {
  const t = translatorOf(locale, 'dashboard.callbacks');
  const instant = (at: Date) => <Instant atMs={at.getTime()} locale={locale} timeZone={timeZone} />;
  const facts = [
    ...(callback.eventType
      ? [
          {
            name: t('kinds.event'),
            value: <code className="font-mono text-sm">{callback.eventType}</code>,
          },
        ]
      : []),
    {
      name: t('invoice'),
      value: (
        <CopyableId
          id={callback.invoiceId}
          href={`${base}/invoices/${encodeURIComponent(callback.invoiceId)}`}
          copy={t('copyId')}
          copied={t('copied')}
        />
      ),
    },
    {
      name: t('address'),
      value: <CopyableAddress url={callback.url} copy={t('copyAddress')} copied={t('copied')} />,
    },
    {
      name: t('webhookId'),
      value: <CopyableId id={callback.messageId} copy={t('copyId')} copied={t('copied')} />,
    },
    { name: t(callback.eventType ? 'happened' : 'created'), value: instant(callback.createdAt) },
  ];
  if (callback.deliveredAt) {
    facts.push({ name: t('delivered'), value: instant(callback.deliveredAt) });
  }
  return <Facts facts={facts} />;
}

/** The body as it is sent, and indented for people to read; no script. */
function Body({ locale, body }: { locale: Locale; body: string }) {
  const t = translatorOf(locale, 'dashboard.callbacks');
  const formatted = indentedJson(body);
  // An input scrolls its content and takes the keyboard, however long the body is.
  const text = (value: string, look: string) => (
    <textarea
      readOnly
      aria-label={t('body')}
      value={value}
      rows={10}
      className={`w-full resize-y wire ${look}`}
    />
  );
  return (
    <Panel id="body" title={t('body')}>
      <p className="mb-3 text-muted text-sm">
        {Buffer.byteLength(body)} {t('bytes')}. {t('bodyText')}
      </p>
      <div className="group">
        {formatted && (
          <fieldset className="mb-3 flex w-fit max-w-full flex-wrap rounded-control border border-line p-0.5 text-sm">
            <legend className="sr-only">{t('bodyForm')}</legend>
            <BodyForm value="formatted" text={t('formatted')} isChosen />
            <BodyForm value="raw" text={t('raw')} />
          </fieldset>
        )}
        {formatted && text(formatted, 'block group-has-[[value=raw]:checked]:hidden')}
        {text(body, `break-all ${formatted ? 'hidden group-has-[[value=raw]:checked]:block' : ''}`)}
      </div>
      <div className="mt-3">
        <CopyButton text={body} label={t('copyRaw')} done={t('copied')} />
      </div>
    </Panel>
  );
}

function BodyForm({
  value,
  text,
  isChosen = false,
}: {
  value: string;
  text: string;
  isChosen?: boolean;
}) {
  return (
    <label className="relative block rounded-lg px-3 py-1.5 text-muted hover:text-ink has-checked:bg-sunk has-checked:font-semibold has-checked:text-ink has-focus-visible:outline-3 has-focus-visible:outline-focus forced-colors:has-checked:-outline-offset-2 forced-colors:has-checked:outline-2 forced-colors:has-checked:outline-[Highlight]">
      <input
        type="radio"
        name="body-form"
        value={value}
        defaultChecked={isChosen}
        className="absolute inset-0 size-full cursor-pointer opacity-0"
      />
      {text}
    </label>
  );
}

function Screen({ resend, ...view }: View & { resend: ReactNode }) {
  const { locale, timeZone, base, environment, data } = view;
  const t = translatorOf(locale, 'dashboard');
  const { callback, exchanges, body } = data;
  const newestFirst = exchanges.toReversed();
  return (
    <>
      <KeepFresh environment={environment} isGoingOn={callback.state === 'pending'} />
      <BackLink href={`${base}/callbacks`} text={t('callbacks.title')} />
      <header className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <div className="flex min-w-0 flex-wrap items-center gap-3">
          <h1 className="font-semibold text-2xl tracking-tight [overflow-wrap:anywhere]">
            {callback.host}
          </h1>
          <CallbackBadge state={callback.state} label={t(`callbackStates.${callback.state}`)} />
          <CallbackSubject {...{ locale, callback }} />
        </div>
        {resend}
      </header>
      <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <div className="grid min-w-0 grid-cols-1 gap-5">
          <Panel id="attempts" title={t('callbacks.attemptsTitle')}>
            <div className="mb-3 empty:hidden">
              <CallbackSchedule {...{ locale, timeZone, callback }} />
            </div>
            {exchanges.length === 0 && <p className="text-muted">{t('callbacks.notSent')}</p>}
            <NewestShown
              write={(counts) => t('callbacks.newestShown', counts)}
              shown={exchanges.length}
              total={callback.attemptCount}
            />
            <ul className="-my-3 divide-y divide-line">
              {newestFirst.map((exchange, index) => (
                <ExchangeItem
                  key={exchange.number}
                  {...{ exchange, locale, timeZone }}
                  isOpen={index === 0}
                />
              ))}
            </ul>
          </Panel>
          <Body locale={locale} body={body} />
        </div>
        <Panel id="summary" title={t('callbacks.summary')}>
          <Summary {...view} />
        </Panel>
      </div>
    </>
  );
}

export default async function CallbackPage({ params }: Props) {
  const locale = await surfaceLocale('dashboard');
  const t = translatorOf(locale, 'dashboard');
  const { environment: given, invoiceId: segment } = await params;
  const { session, environment, api } = await businessSession(given);
  if (!session.merchant) return null;
  const invoiceId = decodeURIComponent(segment);
  const [{ permissions }, timeZone, loaded] = await Promise.all([
    api.account.current(),
    viewerZone(session.merchant.timeZone),
    load(api.callbacks.read({ named: invoiceId })),
  ]);
  const base = `/dashboard/${environment}`;
  if (!loaded.ok) {
    const found = await load(api.invoices.find({ invoiceId }));
    return (
      <NotHere
        locale={locale}
        here={{ merchantId: session.merchant.id, environment, list: 'callbacks' }}
        invoiceId={invoiceId}
        place={found.ok && found.data?.hasCallback ? found.data : null}
        missing={{ title: t('callbacks.notFound'), text: t('callbacks.notFoundText') }}
        back={t('callbacks.title')}
      />
    );
  }
  const resend = permissions.includes('callback.resend') && (
    <ActionButton
      environment={environment}
      action={{ does: 'resendCallback', named: callbackName(loaded.data.callback) }}
      label={t('invoice.resend')}
      done={t('invoice.resendDone')}
      confirmation={{
        title: t('create.resendTitle'),
        text: t('create.resendText', { url: isolated(shortened(loaded.data.callback.url)) }),
        confirm: t('invoice.resend'),
        back: t('back'),
      }}
    />
  );
  return <Screen {...{ locale, timeZone, base, environment, data: loaded.data, resend }} />;
}
