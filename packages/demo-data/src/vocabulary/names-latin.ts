/** Invented names in Latin letters. */
import type { PoolText } from './pool-text.ts'

export const latinNames: Record<string, PoolText> = {
  german: {
    female:
      'Anke Birgit Franziska Gesine Heike Jördis Katharina Lieselotte Mareike Nele Svenja Ulrike Wiebke Käthe Friederike Johanna',
    male: 'Jürgen Götz Matthias Detlef Henning Lennart Torsten Jörg Ansgar Falk Sönke Burkhard Ruprecht Tilman Volker Jannik',
    family:
      'Möllmann Schäfer Köhler Weiß Brandt Lüders Ostermann Hofstätter Grünwald Kästner Petersen Rößler Vogelsang Wendt Zöllner Heidkamp Steinhoff Dörfler Achterberg Lindemann Kuhlmann Brüggemann Tönnies Hasenpflug',
  },
  polish: {
    female:
      'Małgorzata Agnieszka Bożena Grażyna Zofia Wiesława Kinga Jadwiga Łucja Żaneta Róża Dobrawa Hanna Jagoda Elżbieta Iwona',
    male: 'Łukasz Zbigniew Paweł Grzegorz Mieczysław Jarosław Wojciech Krzysztof Bartłomiej Miłosz Radosław Stanisław Tymoteusz Ignacy Kacper Józef',
    family:
      'Kowalczyk Wiśniewski/Wiśniewska Wójcik Kamiński/Kamińska Zieliński/Zielińska Szymański/Szymańska Woźniak Dąbrowski/Dąbrowska Jabłoński/Jabłońska Pawłowski/Pawłowska Górski/Górska Sikora Brzęczek Piątek Gołębiowski/Gołębiowska Żurek Łuczak Mróz Ostrowski/Ostrowska Chmiel Sroka Przybylski/Przybylska Kaźmierczak Borkowski/Borkowska',
  },
  portuguese: {
    female:
      'Inês Conceição Luísa Mafalda Beatriz Graça Lurdes Filipa Madalena Benedita Constança Carlota Aurora Leonor Efigénia Rosário',
    male: 'João Gonçalo Tomás Estêvão Rúben Tiago Martim Duarte Vasco Zeferino Inácio Lourenço Simão Nuno Baltazar Óscar',
    family:
      'Faísca Alcântara Magalhães Simões Conceição Leitão Brandão Sá_Nogueira Falcão Antunes Quintão Patrício Fragoso Paixão Vilaça Galvão Abrantes Sardinha Mourão Brites Figueirôa Taveira Castanheira Lobão',
  },
  brazilian: {
    female:
      'Thaís Jussara Iracema Luíza Débora Caíra Yasmin Janaína Larissa Eloá Mirela Tainá Verônica Flávia Rafaela Jandira',
    male: 'Cauã Márcio Antônio Wellington Caio Édson Ubiratã Renan Thiago Murilo Raí Otávio Juliano Heitor Davi Benício',
    family:
      'Nascimento Assunção Guimarães Cavalcanti Siqueira Brito Peçanha Damião Vasconcelos Xisto Teixeira Brandini Cerqueira Amarante Pinheiro Quaresma Barreto Carvalhal Queirós Fonseca Sampaio Bittencourt Leite Moreira',
  },
  spanish: {
    female:
      'María_José Ángeles Begoña Inmaculada Nuria Rocío Macarena Pilar Itziar Montserrat Leire Azucena Lucía Soledad Araceli Jimena',
    male: 'José Íñigo Ramón Joaquín Andrés Álvaro Fermín Gaspar Hernán Julián Matías Nicolás Óscar Saúl Unai Xabier',
    family:
      'García Muñoz Ibáñez Núñez Ordóñez Peñalver Zúñiga Echeverría Cañizares Ávalos Domènech Gutiérrez Etxebarria Ferrándiz Sepúlveda Quiñones Rentería Villaseñor Yáñez Barrenechea Caldentey Escribano Lozano Mondragón',
  },
  latin_american: {
    female:
      'Xóchitl Guadalupe Yolotzin Marisol Consuelo Itzel Dulce Paloma Remedios Ximena Citlali Nayeli Rosaura Esperanza Abril Lluvia',
    male: 'Cuauhtémoc Efraín Rigoberto Emiliano Jesús_Iván Ezequiel Wilmer Facundo Lautaro Maximiliano Ulises Anselmo Abelardo Nahuel Tadeo Rubén',
    family:
      'Hernández Ramírez Chacón Quispe Mamani Ávila Bolaños Carvajal Galindo Huamán Jaramillo Londoño Montaño Ocampo Pacheco Restrepo Saldívar Tejeda Urrutia Valdivia Zamora Carrasquilla Bermúdez Arévalo',
  },
  french: {
    female:
      'Aurélie Béatrice Céline Désirée Édith Françoise Gaëlle Hélène Inès Joséphine Léonie Maëlys Noémie Océane Solène Zoé',
    male: 'Aurélien Benoît Cédric Étienne Frédéric Gaël Grégoire Jérôme Loïc Mathéo Noël Rémi Stéphane Théo Thibault Yvon',
    family:
      'Lefèvre Béranger Châtelain Desprès Évrard Fauvel Gagné Hébrard Lacroix Maréchal Noirot Pélissier Quénault Rivière Séguin Thévenin Vallée Boulanger Guérin Cordier Delaunay Jacquemin Morvan Tréguier',
  },
  italian: {
    female:
      'Chiara Ludovica Ginevra Fiorella Mariangela Ilaria Donatella Graziella Ornella Letizia Nicoletta Serafina Viola Bianca Costanza Noemi',
    male: 'Niccolò Giosuè Lorenzo Tommaso Ettore Fabrizio Gennaro Raffaele Ivano Salvatore Ubaldo Leonello Cosimo Elia Saverio Brando',
    family:
      'Rossetti Bianchini Colombari D’Angelo Espinelli Ferraris Girardi Lombardi Marchetti Nicolosi Orsini Pellegrino Quaranta Ruggeri Santangelo Tedesco Valentini Zanetti Mancuso Barbieri Cattaneo Fontana Galli Serra',
  },
  dutch: {
    female:
      'Anouk Femke Geertje Hilde Jantje Katelijne Lotte Maaike Noortje Roos Sietske Tjitske Veerle Wendela Hennie Liesbeth',
    male: 'Bram Cornelis Daan Evert Floris Gijs Hendrik Jeroen Koenraad Maarten Nanne Pieter Reinier Sjoerd Teun Wouter',
    family:
      'van_Dijk de_Vries Bakker Hoekstra Kuiper van_der_Meer Postma Dijkstra Schouten Veenstra Verbeek Wiersma ten_Brink Zijlstra Koopman Mulder Groeneveld Hofman Jonker Kroon Leeuwerik van_den_Berghe Oosterhuis Tuinstra',
  },
  swedish: {
    female:
      'Åsa Märta Linnéa Ingegärd Gunilla Maj-Britt Solveig Ebba Hjördis Kerstin Pernilla Tuva Vendela Ylva Ödlind Elin',
    male: 'Björn Göran Håkan Åke Jörgen Sören Torbjörn Viggo Ragnar Leif Kjell Mårten Östen Sixten Hjalmar Anders',
    family:
      'Lindström Sjöberg Åkesson Öberg Hedlund Nyström Söderqvist Bäckman Ekblad Grönlund Holmström Kjellberg Lövgren Malmqvist Norén Palmgren Rosén Sandström Törnqvist Wallgren Fagerlund Hägglund Ljungqvist Strömblad',
  },
  finnish: {
    female: 'Päivi Aino Kaisa Marjatta Helmi Tuulikki Säde Outi Riikka Mirja Eeva Lämpi Hilkka Sirpa Venla Tyyne',
    male: 'Väinö Jukka Pekka Antti Yrjö Kalevi Heikki Tapio Lassi Ilmari Hannes Oiva Reijo Sampo Tuomo Eero',
    family:
      'Hämäläinen Mäkinen Lehtonen Nieminen Heikkilä Väisänen Kärkkäinen Rantanen Salmela Jokinen Koskela Pöyhönen Savolainen Tiihonen Ylönen Haapala Laaksonen Mustonen Ojala Räsänen Siltala Turunen Virkkunen Pesonen',
  },
  czech: {
    female:
      'Božena Jiřina Zdeňka Květa Růžena Markéta Šárka Žofie Ludmila Vlasta Libuše Hana Kateřina Alžběta Dagmar Tereza',
    male: 'Jindřich Zdeněk Řehoř Ondřej Bohumil Čeněk Vojtěch Matěj Květoslav Lubomír Přemysl Radek Štěpán Tomáš Vít Břetislav',
    family:
      'Novák/Nováková Dvořáček/Dvořáčková Svoboda/Svobodová Černý/Černá Procházka/Procházková Kučera/Kučerová Veselý/Veselá Horáček/Horáčková Němec/Němcová Pokorný/Pokorná Růžička/Růžičková Šimek/Šimková Žák/Žáková Beránek/Beránková Křížek/Křížková Polák/Poláková Sedláček/Sedláčková Toman/Tomanová Urbánek/Urbánková Zedník/Zedníková Hájek/Hájková Kolář/Kolářová Říha/Říhová Štěpánek/Štěpánková',
  },
  hungarian: {
    female:
      'Ágnes Boglárka Csilla Erzsébet Gyöngyi Ildikó Jolán Katalin Márta Orsolya Piroska Réka Sára Tünde Zsófia Etelka',
    male: 'Ákos Béla Csaba Dezső Ernő Győző István László Mátyás Ödön Péter Rezső Sándor Tibor Zoltán Zsolt',
    family:
      'Nádasdi Kovácsik Tóth Horváth Varga Molnár Nyerges Balázs Farkas Lukács Mészáros Pásztor Rácz Simonyi Takács Juhászi Bodnár Fehérvári Gulyás Hegedűs Kelemen Orosz Pintér Vörösmarti',
  },
  romanian: {
    female:
      'Ștefania Ioana Smaranda Ilinca Crăița Mădălina Rodica Anișoara Ruxandra Viorica Zamfira Cătălina Domnița Georgeta Lăcrămioara Sânziana',
    male: 'Ștefan Ionuț Bogdan Cătălin Dănuț Răzvan Șerban Vlăduț Țincu Octavian Gheorghiță Horațiu Liviu Mircea Sorin Toader',
    family:
      'Popescu Ionescu Dumitrașcu Stănescu Țurcanu Munteanu Șandru Bălan Crăciun Drăgan Enăchescu Florea Grigorescu Lăzărescu Manolache Neagoe Olteanu Pătrașcu Rădulescu Săvulescu Tănase Ursache Văcărescu Zaharia',
  },
  turkish: {
    female: 'Ayşe Çiğdem Gülşen Şebnem Özlem Nilüfer Tuğba Zübeyde Hülya İpek Müjgan Pınar Yıldız Dilara Esra Zeynep',
    male: 'Çağlar Gökhan Oğuz Şükrü Ümit Özgür Yiğit İsmail Kâzım Mehmet Barış Doğan Hüseyin Uğur Ertuğrul Volkan',
    family:
      'Yılmaz Öztürk Çelikkol Şahinbaş Aydoğdu Kılıç Güneş Doğanay Yıldırımcı Kaplan Çetinkaya Özkan Aslanoğlu Bulut Korkmaz Erdem Taşkın Gündoğdu Akçay Işık Polatlı Sarıkaya Toprak Uçar',
  },
  english: {
    female:
      'Abigail Bethany Charlotte Daphne Eleanor Felicity Georgina Harriet Imogen Josephine Lydia Matilda Philippa Rosalind Tabitha Winifred',
    male: 'Alistair Barnaby Clement Desmond Edmund Fergus Gareth Hugo Jasper Leopold Magnus Nigel Oswald Percival Rupert Tristan',
    family:
      'Ashworth Blackwood Cartwright Draycott Ellingham Fairbrother Greenhalgh Hathersage Ingleby Kettlewell Loxley Marchbank Netherton Ormsby Penhaligon Quarrington Ravenscroft Shuttleworth Thistlewood Underhill Wainfleet Yarborough Fernsby Holloway',
  },
  north_american: {
    female:
      'Aaliyah Brooklyn Camille Delaney Emersyn Harper Jocelyn Kendra Latoya Mackenzie Nevaeh Paige Savannah Tamika Willow Autumn',
    male: 'Brayden Colton Darnell Emmett Grayson Holden Jamal Keegan Landon Marquis Nolan Quentin Reid Tyrell Wyatt Zachary',
    family:
      'Abernathy Beaumont Calloway Dunleavy Eastlake Fitzgibbon Granger Huckaby Ironside Jarrell Kincannon Lattimore Maddox Nesbitt Odom Pettigrew Quimby Roebuck Stallworth Tolliver Vandermolen Whitlock Yancey Zeller',
  },
  irish: {
    female:
      'Aoife Bríd Caoimhe Deirdre Éabha Fionnuala Gráinne Íde Laoise Máire Niamh Órlaith Róisín Sadhbh Siobhán Úna',
    male: 'Aodhán Breandán Cathal Donnchadh Éamonn Fiachra Gearóid Iarla Lorcán Naoise Oisín Pádraig Ruairí Seosamh Tadhg Uinseann',
    family:
      'Ó_Briain/Ní_Bhriain Ó_Cléirigh/Ní_Chléirigh Mac_Mathúna/Nic_Mathúna Ó_Dálaigh/Ní_Dhálaigh Gallagher Hennessy Kinsella McGrath Ó_Súilleabháin/Ní_Shúilleabháin Prendergast Quigley Rafferty Sheehan Tierney Waldron Ó_Gormáin/Ní_Ghormáin Brennan Costigan Devane Feeney Gilhooly Hanratty Kilbride Lannigan',
  },
  vietnamese: {
    female:
      'Hương Thị_Mai Ngọc_Lan Phương Thảo Bích_Thủy Diễm Hạnh Kim_Oanh Quỳnh Thu_Hà Trúc Tuyết Uyên Yến Ánh_Nguyệt',
    male: 'Đức Hữu_Phước Minh_Tuấn Quốc_Bảo Văn_Hùng Xuân_Trường Công_Danh Đình_Khôi Gia_Huy Hoàng_Long Khắc_Việt Nhật_Nam Phúc_Lộc Tấn_Phát Thành_Đạt Vĩnh',
    family:
      'Nguyễn Trần Lê Phạm Huỳnh Hoàng Võ Đặng Bùi Đỗ Hồ Ngô Dương Lý Đinh Trịnh Mai Đoàn Lương Tạ Thái Quách Kiều Phùng',
  },
  yoruba: {
    female:
      'Adébáyọ̀ Títílayọ̀ Fọláṣadé Ọmọlará Ìyábọ̀ Yétúndé Ṣadé Bísí Kẹ́hìndé Àbẹ̀kẹ́ Ìfẹ́olúwa Morẹ́nikẹ́ Olúfúnkẹ́ Ronkẹ́ Tèmítọ́pẹ́ Wúràọlá',
    male: 'Adéwálé Babájídé Olúṣẹ́gun Táíwò Ìdòwú Kọ́ládé Ọláoyè Àyìndé Bámidélé Dáre Fẹ́mi Gbénga Káyọ̀dé Rótìmí Ṣọlá Wọlé',
    family:
      'Adéyẹmí Ògúnbíyì Akíntọ́lá Ọládélé Fárémi Bánkọ́lé Ìgè Ọ̀ṣúndé Àkànní Ajíbádé Ṣóyẹmí Olúwáfẹ́mi Ògúndìran Adébọ̀wálé Akínyẹlé Balógun Oyèwọlé Fáṣànyà Òjó Ọ̀pádélé Àlàbí Akínwándé Dàda Ọlátúnjí',
  },
  swahili: {
    female:
      'Amani Bahati Chausiku Dalila Eshe Faraja Imara Jamila Kesi Mwanaisha Neema Pendo Rehema Subira Wanjiru Zawadi',
    male: 'Baraka Chege Daudi Fadhili Hamisi Jabari Kamau Makori Mwangi Njoroge Otieno Rashidi Salim Tumaini Wekesa Zuberi',
    family:
      'Achieng Barasa Chebet Gathoni Kariuki Kimani Kiprono Lukoye Macharia Mbugua Muthoni Mutua Mwakio Ndungu Nyambura Ochieng Odhiambo Omondi Onyango Rotich Simiyu Wafula Wambui Wairimu',
  },
  indian_latin: {
    female:
      'Ananya Bhavana Deepti Gayatri Hemalatha Ishita Jyotsna Kalpana Lakshmi Meenakshi Nandini Padmavathi Revathi Sudha Tanvi Vasudha',
    male: 'Aravind Balakrishnan Chaitanya Devendra Ganesh Harish Jagdeep Karthik Lokesh Manjunath Niranjan Prashant Raghavan Sandeep Trilok Venkatesh',
    family:
      'Acharya Bhattacharjee Chidambaram Deshpande Ezhuthachan Gopalakrishnan Hegde Iyengar Joglekar Kulkarni Lokhande Mahapatra Nambiar Oommen Parthasarathy Quadri Ranganathan Subramaniam Thirumalai Unnikrishnan Varadarajan Wadekar Yelamanchili Zachariah',
  },
  indonesian: {
    female:
      'Ayu Cahyani Dewi Endang Fitriani Gita Indah Kartika Lestari Melati Ningsih Puspita Ratna Sekar Utari Wulandari',
    male: 'Agung Bambang Cahyo Dimas Eko Galih Hendra Iwan Jaka Kurniawan Lukman Made Nyoman Prasetyo Slamet Wahyu',
    family:
      'Adiputra Budiman Chandrawinata Darmawan Firmansyah Gunawan Hartono Iskandar Kusumo Lesmana Mahendra Nugraha Oktavian Permana Rahardjo Santosa Tanuwijaya Utomo Wibisono Yulianto Suryadi Halim Pranoto Setiawan',
  },
}
