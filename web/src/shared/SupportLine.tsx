import { getConfig } from '@/api/config';

export const getPhoneLink = (number: string) => `tel:${number.replace(/[^\d+]/g, '')}`;

/** The configured support contacts. */
export function SupportLine() {
  const { supportPhone, supportEmail } = getConfig();
  if (!supportPhone && !supportEmail) return null;
  return (
    <p>
      {supportPhone && (
        <>
          Call <a href={getPhoneLink(supportPhone)}>{supportPhone}</a>
        </>
      )}
      {supportPhone && supportEmail && ' or '}
      {supportEmail && (
        <>
          {supportPhone ? 'email' : 'Email'} <a href={`mailto:${supportEmail}`}>{supportEmail}</a>
        </>
      )}
      .
    </p>
  );
}
