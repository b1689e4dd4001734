/**
 * Punctuation and symbols with a first-level weight of their own, in root collation order (CLDR 48, Unicode 17). Fixed
 * here so that stored keys do not depend on the runtime's own tables; test/lib/natural-sort.test.ts compares them with
 * Intl.Collator.
 */
export const Marks = [
  '\t\n\v\f\r\u0085\u2028\u2029 ‾_‗-‐‒–—―⁓,;⁏:!¡?¿‽.·⁕⁖⁘⁙⁚⁛⁜⁝⁞\'‹›"«»()[]{}⁅⁆‖§¶⁋@*',
  '⁎⁑/\\&⁊#%‰‱†‡•‣‧⁃⁌⁍′‵‸※‿⁔⁀⁐⁁⁂`´˜^¯˘˙¨˚˝¸˛ʹʺ˂˃˄˅ˆˇˈˉˊˋˌˍˎˏ˒˓˔˕˖˗˞˟˥˦˧˨˩˪˫ˬ˭˯˰˱˲˳˴˵˶˷˸˹˺˻˼˽˾˿°©®+±÷×<=',
  '>¬|¦~⁒⁄ːˑ¤¢$£¥₠₡₢₣₤₥₦₩₪₫€₭₮₯₰₱₲₳₴₵₶₷₸₹₺₻₼₽₾₿⃀⃁',
].join('')

/** What follows the digits: Latin letters with a first-level weight of their own. */
export const Letters = [
  'ↅↀↁↂↆↇↈaᴀⱥᶏꞻᴁᴂꬱɐɑꬰᶐɒꭤbʙƀᴯᴃᵬꞗᶀɓƃꞵcᴄȼꞓꞔƈɕↄꜿdᴅᴆꟈᵭᶁɖɗᶑƌȡꝱẟeᴇꬲꬳɇᶒꬴⱸǝⱻəᶕɛᶓɘɚɜᶔᴈɝɞʚɤfꜰꬵꞙᵮᶂƒⅎꟻgꟑɡꬶɢǥᶃɠʛᵷꝿɣƣhʜƕꞕɦⱨⱶꟶ',
  'ꜧɧʻʽiıɪꟾꟷᴉɨᵻᶖꞽɩᵼjȷᴊɉʝɟʄkᴋᶄƙⱪꝁꝃꝅʞlʟꝇᴌꝉƚⱡɫꬸꬹɬꬷᶅɭꞎȴꝲɮꞁꟛƛʎmᴍᵯᶆɱꬺꟽꟿꝳnɴᴻᴎᵰɲƞꞑᶇɳȵꬻꝴŋꬼoᴏᴑꬽɶᴔꭁꭂꭀꭃꭄᴓꬾɔᴐᴒꬿᶗꭢꝍᴖᴗ',
  'ⱺɵꝋɷꞷȣᴕpᴘᵽꝑᵱᶈƥꝓꝕꟼɸⱷqꞯꝗꝙʠɋĸrꭅʀꭆᴙɍᵲɹᴚɺɻⱹᶉɼɽꭉɾᵳɿꭇꭈꭊꭋꭌʁꭨꝵꝶꝝsꜱꟊꟍᵴᶊʂȿꟗẜẝʃꭍᶋᶘƪʅʆtᴛŧⱦᵵƫƭʈȶꝷʇuᴜꭎᴝᴞᵫꭐꭑʉꭏꞹᵾᶙꭒꞿ',
  'ɥʮʯɯꟺᴟɰʊᵿvᴠꝟᶌʋⱱⱴỽʌwᴡⱳʍxᶍꭖꭗꭘꭙꭓꭔꭕyʏɏƴỿꭚȝzᴢƶᵶᶎȥʐʑɀⱬꝣʒᴣƹᶚƺʓþꟓꝥꝧƿꟕꝩꭠꭡꭣꝫꝭꝯꝸƻꜫꜭꜯƨƽƅʔɂˀʼˮʾꜣꞌꞏʕ꟏ʿˁᴤᴥꜥʡʢʖǀǁǂǃʗ',
  'ʘʬʭ',
].join('')

/** Combining marks as code points, lightest first; those of a group weigh the same. */
export const Accents = [
  '332', '313', '314', '301', '300', '306', '302', '30c', '30a', '342', '308', '30b', '303', '307', '338', '327', '328',
  '304',
  '30d 30e 312 315 31a 33d 33e 33f 346 34a 34b 34c 350 351 352 357 35b 35d 35e',
  '316 317 318 319 31c 31d 31e 31f 320 329 32a 32b 32c 32f 333 33a 33b 33c 347 348 349 34d 34e 353 354 355 356 359 ' +
    '35a 35c 35f 362',
  '336 337', '335', '305', '309', '30f', '310', '311', '31b', '321', '322', '323', '324', '325', '326', '32d', '32e',
  '330',
  '331', '334', '339', '345', '358', '360', '361',
]

/** Stand-ins inside spellings for marks that no text can have: they tell a letter's variants from the letter. */
export const Variants = ['¹', '²', '³', '⁴']

/** Letters with a stroke or a dot, spelled as a letter and a mark. */
export const Accented = 'øo\u0338 đd\u0335 ħh\u0335 łl\u0335 ŀl¹ ‘\'¹ ’\'² ‚\'³ ‛\'⁴ “"¹ ”"² „"³ ‟"⁴ ꝛr³ ꟙs⁴ ꟃw¹'

/** Ligatures and old letter shapes, spelled with the letters that they sort among. */
export const Spelled = [
  'ßs¹s æa¹e œo¹e ᵺt¹h ꜻa¹v ðd¹ ſs² ᵹg² ꝺd² ꝼf² ꞃr² ꞅs³ ꞇt²',
  'ꟁa\u0328 ꞛa\u0308 ꞝo\u0308 ꞟu\u0308 ꞡg\u0336 ꞣk\u0336 ꞥn\u0336 ꞧr\u0336 ꞩs\u0336',
  'ƍzw ƾts ȸdb ȹqp ʣdz ʤdʒ ʥdʑ ʦts ʧtʃ ʨtɕ ʩfŋ ʪls ʫlz ỻll ꜩtz ꜳaa ꜵao ꜷau ꜹav ꜽay ꝏoo ꝡvy ꭦdʐ ꭧtʂ ﬅs²t ₧Pts',
  '\u0363a \u0364e \u0365i \u0366o \u0367u \u0368c \u0369d \u036ah \u036bm \u036cr \u036dt \u036ev \u036fx',
].join(' ')

/** Raised letters whose compatibility decomposition is missing or names another letter. */
export const Raised = 'ᵌᴈ ᵎᴉ'
