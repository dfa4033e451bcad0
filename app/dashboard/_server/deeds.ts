import type { Translator } from '#server/i18n/translator.ts';
import { type Locale, propertiesOf } from '#server/lib/locales.ts';
import type { Environment } from '#server/merchants/types.ts';
import type { Permission } from '#server/trpc/rows.ts';

/** Something that the palette leads to; `words` find it too, in any of the languages. */
export type Deed = { href: string; text: string; words: string };

type DeedName =
  | 'invite'
  | 'demand'
  | 'secondFactor'
  | 'password'
  | 'notifications'
  | 'export'
  | 'register'
  | 'newLink'
  | 'tokens'
  | 'secret'
  | 'events'
  | 'logo'
  | 'seller';

/** Where each is done, who may do it, and what else people call it in English, Russian and Uzbek. */
const DEEDS: Record<DeedName, { at: string; needs: Permission; words: string }> = {
  invite: {
    at: '/team#invite',
    needs: 'team.invite',
    words:
      'add user member colleague staff person role access добавить пользователя сотрудника доступ роль команда xodim hodim foydalanuvchi qoʻshish jamoa rol ruxsat',
  },
  demand: {
    at: '/team#demand',
    needs: 'team.secure',
    words: '2fa two-factor mfa require force двухфакторная обязательный majburiy ikki bosqichli',
  },
  secondFactor: {
    at: '/account#second-factor',
    needs: 'account.self',
    words:
      '2fa mfa totp two-factor authenticator security двухфакторная аутентификация безопасность код ikki bosqichli xavfsizlik kod',
  },
  password: {
    at: '/account#password',
    needs: 'account.self',
    words: 'passphrase login вход логин сменить parol kirish',
  },
  notifications: {
    at: '/account/notifications',
    needs: 'notices.choose',
    words:
      'alerts notices telegram email bot оповещения извещения телеграм почта бот xabarnoma ogohlantirish telegram pochta',
  },
  export: {
    at: '/invoices#export',
    needs: 'business.read',
    words:
      'download csv excel file table скачать экспорт файл таблица эксель eksport yuklash fayl jadval',
  },
  register: {
    at: '/register',
    needs: 'business.read',
    words:
      'report daily reconciliation statement accounting xlsx csv отчёт сверка выписка бухгалтерия день hisobot solishtirish kunlik buxgalteriya',
  },
  newLink: {
    at: '/links/new',
    needs: 'invoice.create',
    words:
      'qr poster product page catalogue create создать плакат товар страница yaratish mahsulot sahifa plakat',
  },
  tokens: {
    at: '/developers#tokens',
    needs: 'token.read',
    words: 'api key keys credentials ключ ключи доступ апи kalit kalitlar',
  },
  secret: {
    at: '/developers#secret',
    needs: 'secret.manage',
    words:
      'webhook callback signature whsec rotate key вебхук колбэк подпись ключ ротация veb-xuk callback imzo kalit',
  },
  events: {
    at: '/developers#events',
    needs: 'events.manage',
    words: 'webhook callback url endpoint hook вебхук колбэк адрес url callback manzil hodisa',
  },
  logo: {
    at: '/settings#logo',
    needs: 'settings.manage',
    words:
      'brand colour color picture image branding бренд цвет картинка оформление brend rang rasm bezak',
  },
  seller: {
    at: '/settings#seller',
    needs: 'settings.manage',
    words:
      'legal name company inn stir tax requisites address terms refund policy реквизиты компания инн юридическое название адрес оферта rekvizit kompaniya stir yuridik nom manzil oferta',
  },
};

const LANGUAGE_WORDS = 'language locale interface язык интерфейс til interfeys';

/** What somebody with these permissions can do, and the other languages. */
export function deedsOf(
  environment: Environment,
  permissions: readonly Permission[],
  {
    t,
    locale,
    locales,
  }: { t: Translator<'dashboard'>; locale: Locale; locales: readonly Locale[] },
): Deed[] {
  const deeds = (Object.keys(DEEDS) as DeedName[])
    .filter((name) => permissions.includes(DEEDS[name].needs))
    .map((name) => ({
      href: `/dashboard/${environment}${DEEDS[name].at}`,
      text: t(`palette.deeds.${name}`),
      words: DEEDS[name].words,
    }));
  const languages = locales
    .filter((each) => each !== locale)
    .map((each) => ({
      href: `?lang=${each}`,
      text: propertiesOf(each).name,
      words: LANGUAGE_WORDS,
    }));
  return [...deeds, ...languages];
}
