-- +goose Up
-- wcpp_letters writes a name as names.Fold of internal/platform/names does: letters and
-- digits in one case, without accents and signs. PostgreSQL's own lower knows as many
-- letters as the locale of the database; here are those of Latin, Greek, Cyrillic and
-- Armenian. To SQLite the program itself gives the function.
{{if eq .Name "postgres"}}
-- +goose StatementBegin
CREATE FUNCTION wcpp_letters(name text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT CASE WHEN octet_length(name) = char_length(name) THEN
        translate(lower(name), ' !"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', '')
    ELSE
        translate(
            lower(regexp_replace(
                replace(replace(replace(replace(replace(replace(replace(normalize(name, NFKD),
                    'Æ', 'ae'), 'æ', 'ae'), 'Œ', 'oe'), 'œ', 'oe'), 'Þ', 'th'), 'þ', 'th'), 'ß', 'ss'),
                -- Accents, what stands for an apostrophe among the letters, and punctuation.
                '[\u0300-\u036f\u02b0-\u02ff\u2010-\u205e ¡-©«-±´-¹»-¿×÷!-/:-@[-`{-~]', '', 'g')),
            'ÐØðøĐđĦħıĸŁłŊŋŦŧƀƁƂƄƆƇƈƉƊƋƎƏƐƑƓƔƖƗƘƙƚƝƥƬƭƲƳƴƵƶǝǤǥȺȻȼȾɁɃɄɅɆɇɈɌɍɎɏɓɔɖɗəɛɠɨɲɵʉʋΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩςϏЂЄЅІЈЉЊЋЏАБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯҐҒҚҢҮҰҺӘӨԱԲԳԴԵԶԷԸԹԺԻԼԽԾԿՀՁՂՃՄՅՆՇՈՉՊՋՌՍՎՏՐՑՒՓՔՕՖ',
            'dododdhhikllnnttbbƃƅoccddƌeeeƒgɣɩikklnpttvyyzzeggacctɂbuʌeeɉrryyboddeeginouvαβγδεζηθικλμνξοπρστυφχψωσϗђєѕіјљњћџабвгдежзиклмнопрстуфхцчшщъыьэюяґғқңүұһәөաբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ')
    END
$$;
-- +goose StatementEnd
{{end}}
-- +goose Down
{{if eq .Name "postgres"}}DROP FUNCTION wcpp_letters(text);{{end}}
