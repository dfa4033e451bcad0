import { isolated } from '#app/_i18n/isolated.ts';
import { ArrowLeftIcon } from '#app/_ui/icons.tsx';
import { messagesAt, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import { formatMoney } from '#server/lib/money.ts';
import { LastAttempt, NotBegun } from '../frame/notices.tsx';
import { type LoadedInvoice, testCards } from '../loader.ts';
import type { FormNotice } from '../state.ts';
import { CardForm } from './card-form.tsx';
import { groupNumber } from './field-formats.ts';
import { Methods, OnlyMethod } from './methods.tsx';
import { noticeTexts } from './pay-notice.tsx';
import { TestCards } from './test-cards.tsx';

const TEST_EXPIRY_YEARS_AHEAD = 4;

/** The cards to try in the sandbox. */
function OfferedCards({ loaded, locale }: { loaded: LoadedInvoice; locale: Locale }) {
  const t = translatorOf(locale, 'pay');
  const { cards, hint, use } = messagesAt(locale, 'pay').sandbox;
  const year = (new Date(loaded.nowMs).getUTCFullYear() + TEST_EXPIRY_YEARS_AHEAD) % 100;
  const offered = testCards(loaded);
  if (!offered) return null;
  return (
    <TestCards
      t={{ cards, hint, use }}
      expiry={`12 / ${String(year).padStart(2, '0')}`}
      cards={offered.map(({ number, brand, outcome }) => {
        const grouped = groupNumber(number);
        return {
          number: grouped,
          brand,
          outcome: t(`sandbox.outcomes.${outcome}`),
          fillLabel: t('sandbox.fill', { card: grouped }),
        };
      })}
    />
  );
}

/** The form and its surroundings while an invoice waits for its payment. */
export function Payment({
  loaded,
  notice,
  begun,
  email,
  locale,
}: {
  loaded: LoadedInvoice;
  notice: FormNotice | null;
  /** The result of the buyer's choice of an acquirer, from the address. */
  begun: { methodId: string; outcome: string } | null;
  /** The address that the buyer last typed for a receipt. */
  email: string;
  locale: Locale;
}) {
  const { invoice, merchant, nowMs, version, offersEmail } = loaded;
  const t = translatorOf(locale, 'pay');
  const words = messagesAt(locale, 'pay');
  const amount = formatMoney(invoice.amountMinor, invoice.currency, locale);
  const accounts = loaded.methods.filter((each) => each.kind === 'account');
  const takesCards = loaded.methods.some(({ kind }) => kind === 'card');
  const isChoice = loaded.methods.length > 1;
  const only = isChoice ? undefined : accounts[0];
  const isEmailWrong = begun?.outcome === 'email_demanded' || begun?.outcome === 'email_wrong';
  const asked = { invoiceId: invoice.id, email, isEmailWrong, offersEmail, t };
  const emailWords = offersEmail
    ? {
        label: words.methods.email,
        optional: words.methods.emailOptional,
        hint: words.methods.emailOurs,
      }
    : null;
  return (
    <div className="group space-y-5">
      {begun && <NotBegun begun={begun} methods={accounts} isChoice={isChoice} t={t} />}
      {notice && !begun && (
        <LastAttempt notice={notice} names={loaded.accountNames} isChoice={isChoice} t={t} />
      )}
      <div className="card space-y-3 p-[min(1rem,5vw)] sm:space-y-6 sm:p-8">
        {accounts.length > 0 && (
          <>
            <h1
              tabIndex={-1}
              data-new-state
              className="rounded font-semibold text-lg tracking-tight sm:text-xl"
            >
              {only ? t('methods.one', { amount }) : t('methods.choose')}
            </h1>
            {only ? (
              <OnlyMethod method={only} {...asked} />
            ) : (
              <Methods methods={accounts} {...asked} />
            )}
          </>
        )}
        {takesCards && (
          <div
            className={`flex flex-wrap items-center justify-between gap-x-3 gap-y-2 sm:gap-6 ${accounts.length > 0 ? 'border-line border-t pt-3 sm:pt-6' : ''}`}
          >
            {accounts.length > 0 ? (
              <h2 className="font-semibold sm:text-lg">{t('methods.byCard')}</h2>
            ) : (
              <h1
                tabIndex={-1}
                data-new-state
                className="rounded font-semibold text-lg tracking-tight sm:text-xl"
              >
                {t('form.title')}
              </h1>
            )}
            <OfferedCards loaded={loaded} locale={locale} />
          </div>
        )}
        {takesCards && (
          <CardForm
            invoiceId={invoice.id}
            payLabel={t('pay', { amount })}
            t={words.form}
            faultTexts={words.faults}
            noticeTexts={noticeTexts(t, words.notices)}
            nowMs={nowMs}
            version={version}
            emailWords={emailWords}
            email={email}
          />
        )}
      </div>
      {invoice.errorUrl !== null && (
        <p className="px-1 text-sm">
          <a
            href={invoice.errorUrl}
            rel="noreferrer"
            className="link-quiet inline-flex max-w-full items-start gap-1.5 py-1"
          >
            <ArrowLeftIcon className="mt-0.5 size-4 shrink-0" />
            <span className="wrap-anywhere min-w-0">
              {t('backToShop', { merchant: isolated(merchant.name) })}
            </span>
          </a>
        </p>
      )}
    </div>
  );
}
