import { firstLetter } from '#app/_ui/first-letter.ts';
import { ChevronIcon } from '#app/_ui/icons.tsx';
import { LanguageSelector } from '#app/_ui/language-selector.tsx';
import { localesOf, translatorOf } from '#server/i18n/translator.ts';
import type { Locale } from '#server/lib/locales.ts';
import type { Environment, Role } from '#server/merchants/types.ts';
import { SignOutButton } from '../_shared/account/sign-out-button.tsx';
import { ActionButton } from '../_shared/forms/action-button.tsx';

type Merchant = { id: string; name: string; role: Role };

/** The signed-in person; the browser's own popover, which closes by Escape or a press outside. */
export function UserMenu({
  locale,
  environment,
  email,
  merchant,
  merchants,
}: {
  locale: Locale;
  environment: Environment;
  email: string;
  merchant: Merchant;
  merchants: Merchant[];
}) {
  const t = translatorOf(locale, 'dashboard');
  return (
    <div>
      <button
        type="button"
        popoverTarget="user-menu"
        aria-label={`${t('user.menu')}: ${merchant.name}, ${email}`}
        className="flex w-full items-center gap-1 rounded-lg px-1 py-1.5 text-left lg:gap-2 lg:px-2 hover:bg-sunk"
      >
        <span
          aria-hidden="true"
          className="mark niche grid h-10 w-8 shrink-0 place-items-center bg-accent pt-1 font-semibold text-on-accent"
        >
          {firstLetter(merchant.name)}
        </span>
        <span className="hidden min-w-0 flex-1 sm:block max-lg:max-w-52">
          <bdi className="block truncate text-left font-semibold text-sm">{merchant.name}</bdi>
          <span className="block truncate text-muted text-xs">{email}</span>
        </span>
        <ChevronIcon className="size-4 shrink-0 text-muted" />
      </button>
      <section
        id="user-menu"
        popover="auto"
        aria-label={t('user.menu')}
        className="card fixed inset-auto top-16 left-3 m-0 max-h-[calc(100dvh-4.75rem)] w-72 overflow-y-auto p-2 text-[0.9375rem] text-ink"
      >
        <p className="px-3 py-2">
          <span className="block truncate font-semibold">{email}</span>
          <span className="text-muted text-sm">
            {t(`roles.${merchant.role}`)} · <bdi>{merchant.name}</bdi>
          </span>
        </p>
        <a
          href={`/dashboard/${environment}/account`}
          className="block rounded-md px-3 py-2 hover:bg-sunk"
        >
          {t('nav.account')}
        </a>
        {merchants.length > 1 && (
          <div className="my-1 border-line border-y py-2">
            <p className="px-3 pb-1 text-muted text-sm">{t('user.switchTo')}</p>
            {merchants.map((each) =>
              each.id === merchant.id ? (
                <p key={each.id} className="relative truncate px-3 py-2 font-semibold">
                  <bdi>{each.name}</bdi> <span className="sr-only">({t('user.current')})</span>
                </p>
              ) : (
                <ActionButton
                  key={each.id}
                  environment={environment}
                  action={{ does: 'switchMerchant', merchantId: each.id }}
                  goTo={`/dashboard/${environment}`}
                  label={<bdi>{each.name}</bdi>}
                  className="block w-full truncate rounded-md px-3 py-2 text-left hover:bg-sunk"
                />
              ),
            )}
          </div>
        )}
        <SignOutButton label={t('user.signOut')} />
        <div className="mt-1 border-line border-t px-3 pt-2 pb-1">
          <LanguageSelector locale={locale} locales={localesOf('dashboard')} />
        </div>
      </section>
    </div>
  );
}
