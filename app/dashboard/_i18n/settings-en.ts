/** Words of the settings. */
export const settingsEn = {
  title: 'Settings',
  both: 'They hold for sandbox and production alike.',
  page: 'Payment page',
  name: 'Name',
  nameHint: 'Buyers see it at the top of the payment page and on receipts.',
  logo: 'Logo',
  logoHint:
    'PNG, JPEG or WebP. It is scaled down in your browser; the payment page shows it at 40 pixels.',
  chooseLogo: 'Choose a picture',
  removeLogo: 'Remove',
  logoSaved: 'The logo is saved.',
  logoRemoved: 'The logo is removed.',
  logoUnreadable: 'This file is no picture that your browser can read.',
  logoTooBig: 'This picture stays too large even when it is scaled down: take a simpler one.',
  color: 'Colour of buttons',
  colorHint: 'Empty for the gateway’s own.',
  colorPick: 'Pick a colour',
  colorWrong: 'A colour is written like #2b4bd0.',
  used: 'Your colour is used.',
  house:
    'The gateway’s colour is used: yours does not stand out enough from the page (3:1), or no text can be read on it (4.5:1).',
  contrast: 'Contrast to the page:',
  preview: 'Preview',
  light: 'Light theme',
  dark: 'Dark theme',
  pay: 'Pay',
  locale: 'Default language',
  localeHint: 'For buyers whose browser asks for none that the page speaks.',
  zone: 'Time zone',
  zoneHint: 'Receipts are dated in it, and the dashboard until it knows the viewer’s.',
  save: 'Save',
  saved: 'The settings are saved.',
  readOnly: 'Owners and admins can change the settings.',
};

export type SettingsMessages = typeof settingsEn;
