/** Invented names in other scripts, each with a spelling in ASCII letters. */
import type { PoolText } from './pool-text.ts'

export const scriptNames: Record<string, PoolText> = {
  japanese: {
    female:
      '花子=hanako 美咲=misaki さくら=sakura 陽菜=hina 結衣=yui 真由美=mayumi 千尋=chihiro 彩=aya 恵子=keiko 由美子=yumiko 楓=kaede 智子=tomoko ひかり=hikari 奈々=nana 静香=shizuka 麻衣=mai',
    male: '太郎=taro 健一=kenichi 翔太=shota 大輔=daisuke 拓也=takuya 浩二=koji 蓮=ren 悠斗=yuto 誠=makoto 一郎=ichiro 直樹=naoki 隆=takashi 修=osamu 和也=kazuya 亮=ryo 慎吾=shingo',
    family:
      '山田=yamada 佐々木=sasaki 高橋=takahashi 渡辺=watanabe 伊藤=ito 中村=nakamura 小林=kobayashi 加藤=kato 吉田=yoshida 松本=matsumoto 井上=inoue 桜井=sakurai 清水=shimizu 林田=hayashida 池田=ikeda 橋本=hashimoto 石川=ishikawa 前田=maeda 藤田=fujita 岡田=okada 長谷川=hasegawa 近藤=kondo 三浦=miura 遠藤=endo',
  },
  chinese: {
    female:
      '秀英=xiuying 丽华=lihua 雅婷=yating 晓燕=xiaoyan 美玲=meiling 静怡=jingyi 雪梅=xuemei 春花=chunhua 佳慧=jiahui 思琪=siqi 玉兰=yulan 文静=wenjing 诗涵=shihan 若曦=ruoxi 欣怡=xinyi 巧云=qiaoyun',
    male: '建国=jianguo 志明=zhiming 伟强=weiqiang 俊峰=junfeng 浩然=haoran 文博=wenbo 国栋=guodong 海涛=haitao 立新=lixin 明辉=minghui 子轩=zixuan 天佑=tianyou 家豪=jiahao 振华=zhenhua 永康=yongkang 思远=siyuan',
    family:
      '王=wang 张=zhang 刘=liu 陈=chen 杨=yang 赵=zhao 黄=huang 周=zhou 吴=wu 徐=xu 孙=sun 胡=hu 朱=zhu 高=gao 林=lin 何=he 郭=guo 罗=luo 梁=liang 宋=song 郑=zheng 谢=xie 欧阳=ouyang 唐=tang',
  },
  korean: {
    female:
      '서연=seoyeon 지우=jiwoo 민서=minseo 하은=haeun 수빈=subin 예진=yejin 은지=eunji 미영=miyoung 보라=bora 선영=sunyoung 유나=yuna 정아=jeonga 다은=daeun 현주=hyunju 혜진=hyejin 가영=gayoung',
    male: '민준=minjun 도윤=doyun 시준=sijun 지환=jihwan 현우=hyunwoo 동현=donghyun 성민=sungmin 재호=jaeho 태영=taeyoung 영수=youngsoo 준영=junyoung 상훈=sanghoon 우진=woojin 경수=kyungsoo 승호=seungho 기범=kibum',
    family:
      '김=kim 이=lee 박=park 최=choi 정=jung 강=kang 조=cho 윤=yoon 장=jang 임=lim 한=han 오=oh 서=seo 신=shin 권=kwon 황=hwang 안=ahn 송=song 류=ryu 홍=hong 배=bae 남궁=namgung 백=baek 문=moon',
  },
  ukrainian: {
    female:
      'Олександра=oleksandra Оксана=oksana Соломія=solomiia Ганна=hanna Людмила=liudmyla Ярослава=yaroslava Надія=nadiia Галина=halyna Мирослава=myroslava Зоряна=zoriana Уляна=uliana Христина=khrystyna Дарина=daryna Євгенія=yevheniia Іванна=ivanna Роксолана=roksolana',
    male: 'Олександр=oleksandr Богдан=bohdan Тарас=taras Юрій=yurii Мстислав=mstyslav Остап=ostap Ігор=ihor Василь=vasyl Дмитро=dmytro Назар=nazar Роман=roman Святослав=sviatoslav Григорій=hryhorii Левко=levko Лукаш=lukash Захар=zakhar',
    family:
      'Шевчук=shevchuk Ковальчук=kovalchuk Бондаренко=bondarenko Ткачишин=tkachyshyn Кравець=kravets Мельничук=melnychuk Поліщук=polishchuk Гнатюк=hnatiuk Савчин=savchyn Левицький=levytskyi/Левицька=levytska Яременко=yaremenko Дзюба=dziuba Кучеренко=kucherenko Білоус=bilous Журавель=zhuravel Петрук=petruk Снігур=snihur Чорногуз=chornohuz Романюк=romaniuk Щербак=shcherbak Калинець=kalynets Морозюк=moroziuk Горобець=horobets Лисенко=lysenko',
  },
  bulgarian: {
    female:
      'Ралица=ralitsa Десислава=desislava Цветелина=tsvetelina Гергана=gergana Милена=milena Невена=nevena Снежана=snezhana Златка=zlatka Теодора=teodora Йоана=yoana Калина=kalina Вяра=vyara Биляна=bilyana Росица=rositsa Елица=elitsa Магдалена=magdalena',
    male: 'Георги=georgi Христо=hristo Пламен=plamen Явор=yavor Стоян=stoyan Живко=zhivko Красимир=krasimir Любомир=lyubomir Огнян=ognyan Цветан=tsvetan Борислав=borislav Кирил=kiril Момчил=momchil Радослав=radoslav Тодор=todor Веселин=veselin',
    family:
      'Ангелов=angelov/Ангелова=angelova Василев=vasilev/Василева=vasileva Дончев=donchev/Дончева=doncheva Гайдаров=gaydarov/Гайдарова=gaydarova Златев=zlatev/Златева=zlateva Илиев=iliev/Илиева=ilieva Колев=kolev/Колева=koleva Лазаров=lazarov/Лазарова=lazarova Мирчев=mirchev/Мирчева=mircheva Недев=nedev/Недева=nedeva Палазов=palazov/Палазова=palazova Русев=rusev/Русева=ruseva Славов=slavov/Славова=slavova Танев=tanev/Танева=taneva Узунов=uzunov/Узунова=uzunova Филчев=filchev/Филчева=filcheva Цонев=tsonev/Цонева=tsoneva Чакъров=chakarov/Чакърова=chakarova Шопов=shopov/Шопова=shopova Янков=yankov/Янкова=yankova',
  },
  greek: {
    female:
      'Ελένη=eleni Κατερίνα=katerina Δέσποινα=despina Βασιλική=vasiliki Φωτεινή=foteini Ευαγγελία=evangelia Χρυσούλα=chrysoula Ζωή=zoi Ιωάννα=ioanna Παρασκευή=paraskevi Αγγελική=angeliki Θεοδώρα=theodora Μυρτώ=myrto Όλγα=olga Ρένα=rena Στέλλα=stella',
    male: 'Γιώργος=giorgos Δημήτρης=dimitris Κωνσταντίνος=konstantinos Νίκος=nikos Παναγιώτης=panagiotis Βασίλης=vasilis Χρήστος=christos Θανάσης=thanasis Σπύρος=spyros Ηλίας=ilias Λευτέρης=lefteris Μιχάλης=michalis Στέφανος=stefanos Τάσος=tasos Φώτης=fotis Άγγελος=angelos',
    family:
      'Παπαδάκης=papadakis/Παπαδάκη=papadaki Οικονόμου=oikonomou Γεωργίου=georgiou Βλαχόπουλος=vlachopoulos/Βλαχοπούλου=vlachopoulou Δημητριάδης=dimitriadis/Δημητριάδου=dimitriadou Ζαφειρίου=zafeiriou Ιωαννίδης=ioannidis/Ιωαννίδου=ioannidou Καραγιάννης=karagiannis/Καραγιάννη=karagianni Λαμπρόπουλος=lampropoulos/Λαμπροπούλου=lampropoulou Μαυρίδης=mavridis/Μαυρίδου=mavridou Νικολάου=nikolaou Ξενάκης=xenakis/Ξενάκη=xenaki Πετρόπουλος=petropoulos/Πετροπούλου=petropoulou Ρήγας=rigas/Ρήγα=riga Σταυρίδης=stavridis/Σταυρίδου=stavridou Τσακίρης=tsakiris/Τσακίρη=tsakiri Φραγκιάς=fragkias/Φραγκιά=fragkia Χατζής=chatzis/Χατζή=chatzi Ψαρράς=psarras/Ψαρρά=psarra Αθανασίου=athanasiou',
  },
  arabic: {
    female:
      'فاطمة=fatima مريم=maryam ليلى=layla نور=nour هدى=huda سلمى=salma ياسمين=yasmin رنا=rana دعاء=duaa إيمان=iman زينب=zaynab عائشة=aisha لمى=lama أسماء=asmaa غادة=ghada سعاد=suad',
    male: 'محمد=mohammed أحمد=ahmad يوسف=yousef خالد=khaled عمر=omar حسن=hassan إبراهيم=ibrahim طارق=tariq زياد=ziad كريم=karim ماهر=maher نبيل=nabil رامي=rami سامي=sami وليد=walid بلال=bilal',
    family:
      'الخطيب=alkhatib حداد=haddad النجار=alnajjar المصري=almasri الشامي=alshami منصور=mansour قاسم=qasim العلي=alali درويش=darwish الحلبي=alhalabi سنبل=sunbul الزهراني=alzahrani عبد_الله=abdullah الفارسي=alfarsi بركات=barakat التونسي=altounsi شاهين=shahin عوض=awad الكردي=alkurdi يعقوب=yaqoub صالح=saleh الطويل=altawil نصار=nassar رزق=rizq',
  },
  hebrew: {
    female:
      'נועה=noa תמר=tamar שירה=shira יעל=yael מיכל=michal רות=ruth אביגיל=avigail הדס=hadas ליאת=liat רחל=rachel ענת=anat דפנה=dafna אורלי=orli טליה=talia חנה=hana צופיה=tsofia',
    male: 'יונתן=yonatan איתי=itai אורי=uri משה=moshe נדב=nadav אסף=asaf גיל=gil עומר=omer רון=ron שלמה=shlomo אלון=alon ברק=barak דורון=doron יואב=yoav עידו=ido צבי=tzvi',
    family:
      'כהן=cohen לוי=levi מזרחי=mizrahi פרידמן=friedman ביטון=biton אברהמי=avrahami דגן=dagan גולן=golan שפירא=shapira אוחיון=ohayon חדד=hadad קפלן=kaplan ברקוביץ=berkovich שגב=segev נחום=nahum יוסף=yosef עמר=amar רוזן=rosen הררי=harari סגל=segal',
  },
  hindi: {
    female:
      'अनीता=anita सुनीता=sunita प्रिया=priya कविता=kavita रजनी=rajni मीना=meena पूजा=pooja आशा=asha गीता=geeta ज्योति=jyoti नेहा=neha राधा=radha शालिनी=shalini उषा=usha वंदना=vandana सरिता=sarita',
    male: 'राजेश=rajesh सुरेश=suresh अमित=amit विजय=vijay संजय=sanjay मुकुंद=mukund अनिल=anil दीपक=deepak रमेश=ramesh प्रकाश=prakash अशोक=ashok गोपाल=gopal हरीश=harish किशोर=kishor मोहन=mohan नवीन=naveen',
    family:
      'शर्मा=sharma वर्मा=verma गुप्ता=gupta मिश्रा=mishra यादव=yadav चौधरी=chaudhary त्रिपाठी=tripathi पाण्डेय=pandey जोशी=joshi सक्सेना=saxena अग्रवाल=agrawal भट्ट=bhatt दुबे=dubey ठाकुर=thakur सिन्हा=sinha राजपूत=rajput मेहता=mehta शुक्ला=shukla तिवारी=tiwari नेगी=negi',
  },
  thai: {
    female:
      'สมหญิง=somying มาลี=malee กนกวรรณ=kanokwan พิมพ์ใจ=pimjai ศิริพร=siriporn อรุณี=arunee วันดี=wandee สุดา=suda นภา=napa รัตนา=rattana จันทร์=chan ดวงใจ=duangjai ปราณี=pranee ลลิตา=lalita',
    male: 'สมชาย=somchai ประเสริฐ=prasert วิชัย=wichai สุรชัย=surachai ธนา=thana กิตติ=kitti ณรงค์=narong พงศ์=phong อนันต์=anan ชาญ=chan ศักดิ์=sak มานะ=mana เกษม=kasem วีระ=weera',
    family:
      'ศรีสุข=srisuk ทองดี=thongdee แสงจันทร์=saengchan บุญมี=boonmee วงศ์ไทย=wongthai พรหมมา=phromma สุวรรณ=suwan จันทร์เพ็ญ=chanpen รุ่งเรือง=rungrueang ใจดี=jaidee แก้วมณี=kaewmanee ปัญญาดี=panyadee ชัยชนะ=chaichana ดำรงค์=damrong',
  },
  georgian: {
    female:
      'ნინო=nino თამარ=tamar მარიამ=mariam ქეთევან=ketevan ლია=lia ეკა=eka მაია=maia ნათია=natia სალომე=salome თეა=tea ირმა=irma ხატია=khatia ანა=ana დალი=dali',
    male: 'გიორგი=giorgi დავით=davit ლევან=levan ზურაბ=zurab ირაკლი=irakli ნიკა=nika თორნიკე=tornike ვახტანგ=vakhtang ბექა=beka გელა=gela შოთა=shota თემურ=temur ლუკა=luka ოთარ=otar',
    family:
      'ბერიძე=beridze კაპანაძე=kapanadze გელაშვილი=gelashvili მაისურაძე=maisuradze ლომიძე=lomidze წიკლაური=tsiklauri კვირიკაძე=kvirikadze ჯანელიძე=janelidze ხუციშვილი=khutsishvili დოლიძე=dolidze ნოზაძე=nozadze ფხაკაძე=pkhakadze შენგელი=shengeli ჭავჭანიძე=chavchanidze',
  },
}
