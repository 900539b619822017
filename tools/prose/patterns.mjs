// The phrasings that our style bans, as regular expressions. docs/style.md explains them.

/** In any text that people read. */
export const inTexts = {
  'headless who': /(?:^|[.;:] )Who (?![^.?]*\?)[a-z]|\b(?:to|of|for|from|by|with) who\b|\b[Ww]hoever\b/g,
  'headless what or whether':
    /(?:^|[.;:] )(?:What|Whether) (?![^.?]*\?)(?:is|it|was|they|the|a|stands|came|has|one|could|would|somebody)\b/g,
  tell: /\b(?:is|are|was|were|not|be|been) told\b|\b(?!who|you|I|we|they|that tells git)[a-z]+ tells?\b(?! (?:you|us|me|git|go|the (?:compiler|browser|linter)))/g,
  mail: /\b[Mm]ails\b|\ba mail\b|\bmailed\b|\bby mail\b|\b[Ee]-[Mm]ails?\b/g,
  news: /\b[Nn]ews (?:on|of|about|go|goes|come|is|are)\b/g,
  anew: /\banew\b|\bonce more\b/g,
  'any more': /\bany more\b/g,
  'becomes of': /\bbec[ao]mes? of\b/g,
  somebody: /\b[Ss]omebody\b|\b[Ee]verybody\b|\b[Aa]nybody\b/g,
  beside: /\bbeside\b/g,
  "one's": /\bone's\b/g,
  'own without an owner': /\b(?:an|the|in|to|by|of|with) own\b/g,
  stands: /\bstands?\b (?!up|out|alone|in for|by\b|still)|\bstood\b/g,
  'from … on': /\b[Ff]rom [^.;:]{1,24} on\b(?=[.,;:]|$)/g,
  'at once, meanwhile': /\bat once\b|\b[Mm]eanwhile\b|\bby now\b/g,
  'over, given up': /\b(?:is|are|was|were) over\b|\bgiven up\b|\btaken (?:back|away)\b/g,
  'nobody, nothing': /\b[Nn]obody\b|\b[Nn]othing (?:is|was|of|else is)\b|\bNone of\b/g,
  'the newest first': /\bthe (?:newest|oldest|latest|worst) first\b/g,
  'could not be': /\bcould not be (?:read|made|set|tried|taken|told|had|given|ended|opened)\b/g,
  'has at most': /\bhas at most\b|\b(?:Empty|Nothing|None): /g,
  'no + noun':
    /\b(?:has|have|had|names?|belongs? to|gives?|knows?|finds?|needs?|holds?|makes?|shows?|carries|leads?|reads?|keeps?|asks?) no (?!longer|such|more\b|matter)[a-z]/g,
  leads: /\bleads? (?:to|back|there|nowhere|from)\b|\bled (?:to|back|there|nowhere)\b/g,
  holds:
    /\bholds?\b (?!the (?:lock|mutex|value|data|bytes|result|state|list|map|config|settings|connection)|a |an |up\b)/g,
  'reason after a colon':
    /[a-z]: (?:the|a|an|it|its|they|who|what|nobody|nothing|each|otherwise|there|that|this|no|some) [a-z]+ [a-z]+/g,
  'British spelling':
    /\b(?:licen[c]es?|colours?|behaviours?|telephones?|(?:normal|author|organ|recogn|summar|initial|serial)is(?:e|es|ed|ing|ation)|cheques?|programmes?)\b/g,
};

/** In commit subjects. */
export const inSubjects = {
  'no "area: imperative"': /^(?!(?:[a-z0-9][a-z0-9 ,./()-]*: [a-z]|Merge |Revert "))/g,
  'vague verb': /^(?:[^:]+: )?(?:tell|say|hold|lead|let|have|know|picture|keep|give|part|look)\b/gi,
  'over 72 characters': /^.{73,}/g,
};
